package heddle.connection.http1;

import heddle.codec.Event;
import heddle.connection.CompleteBody;
import heddle.connection.ContentFields;
import heddle.connection.Exchange;
import heddle.connection.InboundBody;
import heddle.connection.SlowResponse;
import heddle.connection.WaitLimit;
import heddle.connection.request.InterimResponses;
import heddle.connection.request.RequestBodyReader;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Trailers;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The state of one exchange on an HTTP/1.1 connection: the loop fills in what arrives, the caller
 * waits for it.
 *
 * <p>The loop writes the fields of the answer and then {@code answered}; the caller reads {@code
 * answered} and then the fields. What arrives after that goes through {@link InboundBody}.
 */
final class Http1Exchange implements InboundBody.Source {
  private static final byte[] NO_CONTENT = {};
  private static final long NOT_WAITING = -1;

  /** Above this many bytes that are unread, no more are read from the channel. */
  private static final int MAX_UNREAD_BYTES = 256 * 1024;

  private final Http1Connection connection;
  final Exchange owner;
  private final Thread caller;

  /** Interim responses, for a request that wants them; null for most. */
  private final @Nullable InterimResponses interims;

  /** Another protocol that the request offers; null for none. Set before the request is sent. */
  @Nullable
  UpgradeOffer offer;

  /** The loop's own: whether a byte of the response has arrived. */
  boolean begun;

  /** Whether the request is still being written, so that the peer may be silent. */
  volatile boolean sending = true;

  /** Set by the caller when the answer came before all of the request was sent. */
  volatile boolean requestCut;

  /** Used by the thread that ends the exchange: whether the connection must not be reused. */
  boolean last;

  /**
   * The request's body while it is read from its stream. Published before the caller looks whether
   * there is an answer; the loop publishes an answer before it looks here.
   */
  private volatile @Nullable RequestBodyReader reading;

  /** The loop's own: when to check a request that was answered early. */
  long writeUntil = Deadline.NEVER_NANOS;

  /** How many pieces of the content were written; set by the writer, read by the loop. */
  private volatile int pieces;

  /** The loop's own: the value of {@code pieces} at its last check. */
  private int piecesSeen;

  /** Whether the channel is paused because the body's reader is slow: no input is seen. */
  private volatile boolean paused;

  /** When the peer was last heard, or the wait for it began, on the clock's scale. */
  volatile long heardAt;

  // Written by the loop before `answered`, read by the caller after it.
  private Event.@Nullable ResponseHead head;
  private byte[] content = NO_CONTENT;
  private int contentSize;
  private @Nullable Headers trailers;
  private @Nullable InboundBody body;
  private @Nullable Exception failure;

  private volatile boolean answered;

  /** Used by the one thread that ends the exchange: the caller or the body's reader. */
  private boolean over;

  /** Used by the loop only, once the exchange has begun. Null if no rate is required. */
  final @Nullable SlowResponse rate;

  Http1Exchange(Http1Connection connection, Exchange owner, Request request, long now) {
    this.connection = connection;
    this.owner = owner;
    this.interims = InterimResponses.areWanted(request)
        ? new InterimResponses(request, owner, connection.loop())
        : null;
    this.caller = Thread.currentThread();
    this.heardAt = now;
    this.rate = SlowResponse.of(owner);
  }

  // ---- the loop's side

  /** Takes an event of the session; {@code rest} is the input behind it. */
  void on(Event event, ByteBuffer rest) {
    switch (event) {
      case Event.ResponseHead response -> head = response;
      case Event.Data data -> append(data.bytes());
      case Event.End end -> end(end.trailers());
      case Event.Interim interim -> {
        if (interims != null) {
          interims.add(interim.status(), interim.headers());
        }
      }
      case Event.Upgraded upgraded -> {
        if (offer != null && offer.take(head, rest)) {
          connection.pauseReading(); // The new protocol begins after the request is sent.
        } else {
          failure =
              new IOException("the server switched to another protocol, which was not offered");
        }
      }
      case Event.RequestHead request ->
        throw new IllegalStateException("a client's session read a request: " + request);
    }
  }

  /** The protocol that the server has switched to; null while it has not. */
  @Nullable
  UpgradeOffer takenOffer() {
    return offer != null && offer.isTaken() ? offer : null;
  }

  private void append(ByteBuffer bytes) {
    InboundBody streaming = body;
    if (streaming != null) {
      streaming.append(bytes);
      return;
    }
    int count = bytes.remaining();
    if (contentSize + count > InboundBody.MOST_AT_ONCE_BYTES) {
      beginStreaming().append(bytes);
      return;
    }
    if (content.length - contentSize < count) {
      int doubled = contentSize == 0 ? 0 : 2 * content.length;
      content = Arrays.copyOf(content, Math.max(contentSize + count, doubled));
    }
    bytes.get(content, contentSize, count);
    contentSize += count;
  }

  private void end(Headers fields) {
    trailers = fields;
    InboundBody streaming = body;
    if (streaming != null) {
      streaming.end(fields);
    }
  }

  /** Whether the whole response has been read. */
  boolean isComplete() {
    return trailers != null;
  }

  /**
   * Called when all input of a read was parsed: wakes the caller if it has what it waits for.
   *
   * @return whether it has been woken
   */
  boolean publish(EventLoop loop) {
    if (answered || (head == null && failure == null)) {
      return false;
    }
    if (head != null && trailers == null && body == null) {
      beginStreaming();
    }
    answered = true;
    loop.unpark(caller);
    return true;
  }

  /** From now on the content goes to its reader as it arrives. */
  private InboundBody beginStreaming() {
    Headers headers = head().headers();
    long length = ContentFields.declaredLength(headers);
    InboundBody streaming =
        new InboundBody(this, connection.loop(), MAX_UNREAD_BYTES, length, headers);
    if (contentSize > 0) {
      streaming.append(ByteBuffer.wrap(content, 0, contentSize));
      content = NO_CONTENT;
      contentSize = 0;
    }
    body = streaming;
    return streaming;
  }

  /** Fails the exchange. A complete response is not affected. */
  void fail(Exception cause, EventLoop loop) {
    InboundBody streaming = body;
    if (!isComplete()) {
      if (streaming != null) {
        streaming.fail(cause);
      }
      if (!answered) {
        failure = cause;
        answered = true;
        loop.unpark(caller);
      }
    }
    abortReading();
  }

  /** Stops reading the request's body, because the rest is not needed. */
  void abortReading() {
    RequestBodyReader content = reading;
    if (content != null) {
      content.abort();
    }
  }

  /** Whether it is the peer's turn to send. */
  boolean isPeersTurn() {
    return !sending && !paused;
  }

  /**
   * When the timer has to check this exchange again. If the limit for the first byte is longer than
   * the silence allowed later, this is the earlier of the two, because the response may begin
   * before.
   */
  long nextLook(long now) {
    long silence = owner.maxSilenceNanos();
    long limit =
        silence == Deadline.NEVER_NANOS ? nextLimit() : Math.min(nextLimit(), now + silence);
    return rate == null ? limit : Math.min(limit, rate.nextLook(now));
  }

  /** The exception to fail with if the content arrives too slowly; on the loop. */
  @Nullable
  IOException slowness(long now) {
    InboundBody streaming = body;
    if (rate == null || streaming == null) {
      return null;
    }
    boolean ours = streaming.wasPaused() || !isPeersTurn();
    return rate.look(now, streaming.received(), ours);
  }

  /** When the exchange is out of time, as far as is known. */
  long nextLimit() {
    long silence = owner.maxSilenceNanos(begun);
    long silentAt = silence == Deadline.NEVER_NANOS ? silence : heardAt + silence;
    return Math.min(writeUntil, Math.min(owner.deadline().nanos(), silentAt));
  }

  // ---- the caller's side

  void reads(@Nullable RequestBodyReader content) {
    reading = content;
  }

  boolean isAnswered() {
    return answered;
  }

  /**
   * Whether the rest of the request is of no use: the exchange failed, or the response is not a
   * successful one (RFC 9112 §9.5). A server that answers with success may send more after it has
   * read the rest.
   */
  boolean isRestUnwanted() {
    boolean unsuccessful = answered && (failure != null || !head().status().isSuccess());
    return unsuccessful && takenOffer() == null; // RFC 7540 §3.2: all of it precedes HTTP/2.
  }

  /** A piece of the content was written. Called by one thread. */
  void pieceWritten() {
    int next = pieces + 1;
    pieces = next;
  }

  /** On the loop: whether a request that was answered early is still making progress. */
  boolean goesOn() {
    int written = pieces;
    boolean moved = written != piecesSeen;
    piecesSeen = written;
    return moved && !isRestUnwanted();
  }

  /** Whether the content waits for 100 (Continue). */
  boolean expectsContinue() {
    return interims != null && interims.expectsContinue();
  }

  /** Parks until the content is to be sent; false if the answer came first. */
  boolean awaitContinue() throws IOException {
    boolean wanted = interims == null || interims.awaitContinue(this::isAnswered);
    if (wanted || takenOffer() != null) {
      return true;
    }
    if (failure != null) {
      throw owner.explain(failure);
    }
    owner.contentWithheld();
    return false;
  }

  void awaitAnswer() throws IOException {
    if (interims != null) {
      long began = connection.now();
      interims.awaitAnswer(this::isAnswered, () -> checkWait(began, connection.now()));
    }
    long since = NOT_WAITING;
    while (!answered) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while waiting for a response");
      }
      long now = connection.now();
      since = since == NOT_WAITING ? now : since;
      connection.loop().park(this, checkWait(since, now));
    }
  }

  @Override
  public long checkWait(long since, long now) throws IOException {
    return WaitLimit.check(owner, answered, Math.max(heardAt, since), now);
  }

  /** Whether the answer came while the request is still being written. */
  boolean isAnsweredEarly() {
    return answered && sending && takenOffer() == null;
  }

  /** After {@link #isAnswered}: what went wrong instead of an answer, or null. */
  @Nullable
  Exception failure() {
    return failure;
  }

  Event.ResponseHead head() {
    Event.ResponseHead response = head;
    if (response == null) {
      throw new IllegalStateException("there is no answer yet");
    }
    return response;
  }

  /** The content: complete, or still arriving. */
  Body responseBody() {
    InboundBody streaming = body;
    if (streaming != null) {
      return streaming;
    }
    byte[] exact = contentSize == content.length ? content : Arrays.copyOf(content, contentSize);
    return new CompleteBody(exact, head().headers());
  }

  Trailers responseTrailers() {
    InboundBody streaming = body;
    if (streaming != null) {
      return Trailers.of(streaming::trailers);
    }
    Headers fields = trailers;
    return fields == null || fields.isEmpty() ? Trailers.none() : Trailers.of(fields);
  }

  /** Whether the body was still arriving when the answer was published. */
  boolean isStreaming() {
    return body != null;
  }

  /** True on the first call only. */
  boolean endOnce() {
    boolean first = !over;
    over = true;
    return first;
  }

  // ---- the body's side

  @Override
  public void pause() {
    paused = true;
    connection.pauseReading();
  }

  @Override
  public void resume() {
    // The peer was not silent: we did not read.
    heardAt = connection.now();
    paused = false;
    connection.resumeReading();
  }

  @Override
  public void consumed() {
    connection.end(this, true);
  }

  @Override
  public void abandoned() {
    connection.end(this, false);
  }

  @Override
  public void failed(IOException failure) {
    owner.failed(failure);
  }

  /** How many bytes of content have arrived. */
  long received() {
    InboundBody streaming = body;
    return streaming == null ? contentSize : streaming.received();
  }

  @Override
  public IOException explain(Exception cause) {
    return owner.explain(cause);
  }
}
