package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Stream;
import heddle.connection.CompleteBody;
import heddle.connection.ContentFields;
import heddle.connection.Exchange;
import heddle.connection.InboundBody;
import heddle.connection.SilenceException;
import heddle.connection.SlowResponse;
import heddle.connection.WaitLimit;
import heddle.connection.request.InterimResponses;
import heddle.connection.request.RequestBodyReader;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Trailers;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response on a shared connection: the caller sends and waits, the loop fills
 * in the response.
 *
 * <p>The loop writes the fields of the answer and then {@code answered}; the caller reads {@code
 * answered} and then the fields. What arrives after that goes through {@link InboundBody}.
 */
final class Http2Exchange implements InboundBody.Source {
  private static final byte[] NO_CONTENT = {};
  private static final long NOT_WAITING = -1;

  /**
   * If this much content is unread, less than any window, the peer may have to wait for the reader.
   */
  private static final int HELD_BACK_BYTES = 32 * 1024;

  private final Http2Connection connection;
  final Exchange owner;
  private final Thread caller;

  /** Interim responses, for a request that wants them; null for most. */
  private final @Nullable InterimResponses interims;

  /**
   * The thread that sends the request: the caller, or the one that continues when the caller has
   * the response.
   */
  private volatile Thread sender;

  // Guarded by the connection's lock.
  @Nullable
  Http2Exchange next;

  @Nullable
  Http2Exchange previous;

  boolean listed;

  /** Null until the request's head is queued. */
  @Nullable
  Http2Stream stream;

  /** The rounds of the flush in which the request's first and last bytes are written. */
  long firstRound;

  long lastRound;

  /** How much content is unread, so that the peer may be silent. */
  private long unread;

  /** When the peer was last heard, or the wait for it began, on the clock's scale. */
  private volatile long heardAt;

  /** Null if no rate is required. Used by the loop only. */
  private final @Nullable SlowResponse rate;

  // Guarded by the lock: how much content has arrived for the reader in total, and whether, since
  // the last check, so much of it was unread that the peer may have had to wait.
  private long received;
  private boolean wasHeldBack;

  /** Whether the request is still being sent, so that the peer may be silent. */
  private volatile boolean sending = true;

  /** The caller's own: whether the content was not sent, because the answer came first. */
  private boolean withheld;

  /**
   * The request's body while it is read from its stream. Published before the sender checks whether
   * sending is over; a thread that ends the sending publishes that before it looks here.
   */
  private volatile @Nullable RequestBodyReader reading;

  /** Whether the stream accepts content again; cleared before content is offered. */
  private volatile boolean writable;

  // Used by the loop only until `answered`, then read by the caller.
  private Http2Event.@Nullable ResponseHead head;
  private byte[] content = NO_CONTENT;
  private int contentSize;
  private @Nullable InboundBody body;
  private @Nullable Exception failure;
  private Headers trailers = Headers.empty();

  /** The loop's own: what the current pass brought, accounted for at its end. */
  boolean touched;

  private int appended;
  private long unwanted;

  private volatile boolean answered;

  /** Whether the whole response has arrived. */
  private volatile boolean complete;

  /** Whether nothing more can be sent, because the stream has failed. */
  private volatile boolean cut;

  /** Whether the response is no longer needed. */
  private volatile boolean abandoned;

  /** Used by the one thread that ends the exchange: the caller or the body's reader. */
  private boolean over;

  Http2Exchange(Http2Connection connection, Exchange owner, Request request, long now) {
    this.connection = connection;
    this.owner = owner;
    this.interims = InterimResponses.areWanted(request)
        ? new InterimResponses(request, owner, connection.loop())
        : null;
    this.caller = Thread.currentThread();
    this.sender = caller;
    this.heardAt = now;
    this.rate = SlowResponse.of(owner);
  }

  /** On the loop: whether a byte of the response has arrived. */
  private boolean hasBegun() {
    return head != null;
  }

  /** When the peer was last heard, or the wait for it began. */
  long heardAt() {
    return heardAt;
  }

  // ---- the loop's side: what a pass brings

  void onInterim(Http2Event.Interim interim) {
    if (interims != null) {
      interims.add(interim.status(), interim.headers());
    }
  }

  void onHead(Http2Event.ResponseHead response) {
    head = response;
    if (response.endStream()) {
      complete(Headers.empty());
    }
  }

  /** Keeps the content, for the reader or until there is one. */
  void onData(Http2Event.Data data) {
    ByteBuffer bytes = data.bytes();
    int count = bytes.remaining();
    unwanted += data.flowControlled() - count;
    if (body == null
        && head != null
        && contentSize + count > InboundBody.MOST_AT_ONCE_BYTES
        && !abandoned) {
      beginStreaming(head.headers());
    }
    InboundBody streaming = body;
    if (streaming != null) {
      boolean kept = streaming.append(bytes);
      appended += kept ? count : 0;
      unwanted += kept ? 0 : count;
    } else if (!abandoned) {
      keep(bytes, count);
    }
    if (data.endStream()) {
      complete(Headers.empty());
    }
  }

  private void keep(ByteBuffer bytes, int count) {
    if (content.length - contentSize < count) {
      int doubled = contentSize == 0 ? 0 : 2 * content.length;
      content = Arrays.copyOf(content, Math.max(contentSize + count, doubled));
    }
    bytes.get(content, contentSize, count);
    contentSize += count;
  }

  void complete(Headers fields) {
    trailers = fields;
    complete = true;
    InboundBody streaming = body;
    if (streaming != null) {
      streaming.end(fields);
    }
  }

  boolean isComplete() {
    return complete;
  }

  /** At the end of a pass: a response that goes on gets a body to be read from. */
  void prepare(long now) {
    heardAt = now;
    if (head != null && body == null && !complete && !answered && !abandoned) {
      beginStreaming(head.headers());
    }
  }

  private void beginStreaming(Headers headers) {
    // The stream's window bounds the unread content, so the body itself never pauses.
    InboundBody streaming = new InboundBody(
        this, connection.loop(), Integer.MAX_VALUE, ContentFields.declaredLength(headers), headers);
    if (contentSize > 0) {
      appended += contentSize;
      streaming.append(ByteBuffer.wrap(content, 0, contentSize));
      content = NO_CONTENT;
      contentSize = 0;
    }
    body = streaming;
  }

  /** Under the lock, at the end of a pass: how many bytes more wait for the reader. */
  int takeAppended() {
    int count = appended;
    appended = 0;
    unread += count;
    received += count;
    if (unread >= HELD_BACK_BYTES) {
      wasHeldBack = true;
    }
    return count;
  }

  /** At the end of a pass: bytes that will not be read: padding, or discarded. */
  long takeUnwanted() {
    long bytes = unwanted;
    unwanted = 0;
    return bytes;
  }

  /** Called when all input of a read was parsed: wakes the caller if it has what it waits for. */
  void publish(EventLoop loop) {
    touched = false;
    if (!answered && head != null) {
      answered = true;
      loop.unpark(caller);
    }
    // The sender may wait for the window of a stream that has ended.
    if (complete && sending) {
      loop.unpark(sender);
      abortReading();
    }
  }

  /** Fails the exchange. A complete response is not affected. */
  void fail(Exception cause, EventLoop loop) {
    cut = true;
    InboundBody streaming = body;
    if (streaming != null) {
      streaming.fail(cause);
    } else if (!answered && !complete) {
      failure = cause;
      answered = true;
      loop.unpark(caller);
    }
    if (sending) {
      loop.unpark(sender);
      abortReading();
    }
  }

  /** Stops reading the request's body, because the rest is not needed. */
  private void abortReading() {
    RequestBodyReader content = reading;
    if (content != null) {
      content.abort();
    }
  }

  void reads(RequestBodyReader content) {
    reading = content;
  }

  /** From any thread: the stream takes content again. */
  void onWritable(EventLoop loop) {
    writable = true;
    loop.unpark(sender);
  }

  // ---- time, on the loop and under the lock

  /**
   * When to check the time of the exchange. If the limit for the first byte is longer than the
   * silence allowed later, this is the earlier of the two, because the response may begin before.
   */
  long nextLook(long now) {
    long silence = owner.maxSilenceNanos();
    long limit = nextLimit();
    long next = silence == Deadline.NEVER_NANOS ? limit : Math.min(limit, now + silence);
    return rate == null ? next : Math.min(next, rate.nextLook(now));
  }

  /** When the exchange is out of time, as far as is known. */
  private long nextLimit() {
    long silence = owner.maxSilenceNanos(hasBegun());
    long silentAt = silence == Deadline.NEVER_NANOS ? silence : heardAt + silence;
    return Math.min(owner.deadline().nanos(), silentAt);
  }

  /**
   * Why the exchange is out of time, or null if it is not.
   *
   * @param wasWithheld whether our side has kept all streams waiting since this was called last
   * @param isWithheld whether it does so now
   */
  @Nullable
  Exception overdue(long now, boolean wasWithheld, boolean isWithheld) {
    Deadline deadline = owner.deadline();
    if (!deadline.isNever() && now >= deadline.nanos()) {
      return new DeadlinePassedException("the call's deadline passed");
    }
    // While credit is withheld the peer may wait for it because of other exchanges.
    if (!isPeersTurn() || isWithheld) {
      heardAt = now;
    }
    if (now >= nextLimit()) {
      return SilenceException.of(owner, hasBegun());
    }
    if (rate == null || !hasBegun()) {
      return null;
    }
    boolean ours = wasWithheld || wasHeldBack || !isPeersTurn();
    wasHeldBack = false;
    return rate.look(now, received, ours);
  }

  /** Whether it is the peer's turn to send: we have sent all, and read all that has arrived. */
  private boolean isPeersTurn() {
    return !sending && unread == 0;
  }

  /** The reader has read {@code bytes} bytes. Under the lock. */
  void read(int bytes, long now) {
    unread -= bytes;
    if (unread == 0) {
      // The peer was not silent: it may have waited for credit.
      heardAt = now;
    }
  }

  // ---- the caller's side

  /** The stream, once the request's head is queued. */
  Http2Stream opened() {
    Http2Stream opened = stream;
    if (opened == null) {
      throw new IllegalStateException("the stream is not open");
    }
    return opened;
  }

  /** Under the lock: called before content is offered to the stream. */
  void expectWritable() {
    writable = false;
  }

  /**
   * Parks until the stream accepts content, or sending is over.
   *
   * @param endsOnAnswer whether to return too when the response has begun
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException if the time is up and the connection's timer has not fired
   */
  void awaitWritable(boolean endsOnAnswer) throws IOException {
    long since = NOT_WAITING;
    while (!writable && !isSendingOver() && !(endsOnAnswer && answered)) {
      since = park("interrupted while sending a request", since);
    }
  }

  /** Whether the rest of the request need not be sent. */
  boolean isSendingOver() {
    return cut || complete || abandoned;
  }

  /** Whether the response has begun, so that the caller can have it. */
  boolean isAnswered() {
    return answered;
  }

  /** The calling thread continues to send the request instead of the caller. */
  void sendOn() {
    sender = Thread.currentThread();
  }

  /** The request is sent, or as much of it as will be. */
  void sent(long now) {
    heardAt = now;
    sending = false;
  }

  /** Whether the content waits for 100 (Continue). */
  boolean expectsContinue() {
    return interims != null && interims.expectsContinue();
  }

  /** Parks until the content is to be sent; false if the answer came first. */
  boolean awaitContinue() throws IOException {
    boolean wanted = interims == null || interims.awaitContinue(this::isAnswered);
    if (!wanted) {
      withheld = true;
      sent(connection.loop().clock().nanoTime());
      if (failure == null) {
        owner.contentWithheld();
      }
    }
    return wanted;
  }

  void awaitAnswer() throws IOException {
    if (interims != null) {
      long began = now();
      interims.awaitAnswer(this::isAnswered, () -> checkWait(began, now()));
    }
    long since = NOT_WAITING;
    while (!answered) {
      since = park("interrupted while waiting for a response", since);
    }
  }

  /** Returns since when the thread waits. */
  private long park(String what, long since) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException(what);
    }
    long now = now();
    long began = since == NOT_WAITING ? now : since;
    connection.loop().park(this, checkWait(began, now));
    return began;
  }

  private long now() {
    return connection.loop().clock().nanoTime();
  }

  @Override
  public long checkWait(long since, long now) throws IOException {
    return WaitLimit.check(owner, answered, Math.max(heardAt, since), now);
  }

  /** After {@link #awaitAnswer}: what went wrong instead of an answer, or null. */
  @Nullable
  Exception failure() {
    return answered ? failure : null;
  }

  /** After {@link #awaitAnswer}, unless it failed. */
  Response response() {
    Http2Event.ResponseHead response = head;
    if (response == null) {
      throw new IllegalStateException("there is no answer yet");
    }
    InboundBody streaming = body;
    Body received;
    Trailers after;
    if (streaming != null) {
      received = streaming;
      after = Trailers.of(streaming::trailers);
    } else {
      byte[] exact = contentSize == content.length ? content : Arrays.copyOf(content, contentSize);
      received = new CompleteBody(exact, response.headers());
      after = trailers.isEmpty() ? Trailers.none() : Trailers.of(trailers);
    }
    return Response.received(
        response.status(), HttpVersion.HTTP_2, response.headers(), received, after);
  }

  /**
   * The body that is still arriving, once there is an answer; null if it has arrived completely.
   */
  @Nullable
  InboundBody streamingBody() {
    return body;
  }

  /** Closes the body, if there is one, which also ends the exchange. */
  void closeBody() {
    InboundBody streaming = body;
    if (streaming != null) {
      streaming.close();
    }
  }

  /** Whether the whole request was sent. */
  boolean isSent() {
    return !sending && !withheld;
  }

  /** The response is no longer needed; from any thread. */
  void abandon() {
    abandoned = true;
    LockSupport.unpark(sender);
    abortReading();
  }

  /** Once there is an answer: how many bytes of content have arrived. */
  long received() {
    InboundBody streaming = body;
    return streaming == null ? contentSize : streaming.received();
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
    // The stream's window bounds the unread content.
  }

  @Override
  public void resume() {
    // See pause.
  }

  @Override
  public void taken(int bytes) {
    connection.taken(this, bytes);
  }

  @Override
  public void consumed() {
    connection.end(this);
  }

  @Override
  public void abandoned() {
    connection.abandon(this);
  }

  @Override
  public void failed(IOException failure) {
    owner.failed(failure);
  }

  @Override
  public IOException explain(Exception cause) {
    return ExchangeFailure.explain(cause, owner);
  }
}
