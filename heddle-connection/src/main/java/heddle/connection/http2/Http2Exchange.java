package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.codec.http2.Http2Stream;
import heddle.connection.Exchange;
import heddle.connection.InboundBody;
import heddle.connection.request.RequestBodyReader;
import heddle.connection.request.ResponseCollector;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.duplex.DuplexContent;
import heddle.http.duplex.UpgradeContent;
import java.io.IOException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response on a shared connection: the caller sends and waits, the loop fills
 * in the response.
 */
final class Http2Exchange implements InboundBody.Source {
  /** If this much is unread, less than any window, the peer may have to wait for the reader. */
  private static final int HELD_BACK_BYTES = 32 * 1024;

  private final Http2Connection connection;
  final Exchange owner;
  final ResponseCollector response;

  /**
   * The protocol that the caller wants to speak on the stream, by an extended CONNECT (RFC 8441);
   * null for most.
   */
  final @Nullable String protocol;

  /**
   * Which directions are over, if the caller writes the content to the stream itself; null for
   * most.
   */
  private final @Nullable Directions directions;

  /** Sends the request: the caller, or the thread that continues when the caller has the answer. */
  volatile Thread sender;

  // Guarded by the connection's lock: the stream, null until the request's head is queued, and the
  // rounds of the flush in which the request's first and last bytes are written.
  @Nullable
  Http2Stream stream;

  long firstRound;
  long lastRound;

  // Guarded by the connection's lock: how much content is unread, so that the peer may be silent;
  // whether that was so much since the last check that the peer may have had to wait; how much of
  // the streamed content was accounted for.
  private long unread;
  private boolean wasHeldBack;
  private long accounted;

  // Guarded by the connection's lock, for its list.
  @Nullable
  Http2Exchange next;

  @Nullable
  Http2Exchange previous;

  boolean listed;

  private volatile boolean sending = true; // the request is, so that the peer may be silent
  private boolean withheld; // used by the caller: the answer came before the content was sent

  /**
   * The request's body while it is read from its stream. Published before the sender checks whether
   * sending is over; a thread that ends the sending publishes that before it looks here.
   */
  volatile @Nullable RequestBodyReader reading;

  /** Written by the loop before the response is published, read by the caller after it. */
  private Http2Event.@Nullable ResponseHead head;

  // Used by the loop: whether the current pass brought something, and how much to discard.
  boolean touched;
  private long unwanted;

  volatile boolean writable; // the stream takes content again; cleared under the lock
  private volatile boolean cut; // nothing more can be sent, because the stream has failed
  private volatile @Nullable Exception cutBy; // written before that
  private volatile boolean abandoned; // the response is no longer needed

  Http2Exchange(Http2Connection connection, Exchange owner, Request request, long now) {
    this.connection = connection;
    this.owner = owner;
    this.protocol = request.body() instanceof UpgradeContent
        ? request.headers().first(HeaderName.UPGRADE)
        : null;
    this.directions = request.body() instanceof DuplexContent ? new Directions() : null;
    this.sender = Thread.currentThread();
    // The stream's window bounds the unread content, so the body itself never pauses.
    this.response =
        new ResponseCollector(request, owner, this, connection.loop(), Integer.MAX_VALUE, now);
  }

  // ---- the loop's side: what a pass brings

  void onHead(Http2Event.ResponseHead received) {
    head = received;
    response.head(received.headers());
    if (isUpgraded(received)) {
      response.liftLimits(); // The other protocol has its own.
    }
    if (directions != null) {
      response.streamRest(); // Only a body that is read reports that its direction is over.
    }
    if (received.endStream()) {
      response.complete(Headers.empty());
    }
  }

  /** Keeps the content, for the reader or until there is one. */
  void onData(Http2Event.Data data) {
    int count = data.bytes().remaining();
    unwanted += data.flowControlled() - count;
    if ((response.isStreaming() || !abandoned) && !response.append(data.bytes())) {
      unwanted += count;
    }
    if (data.endStream()) {
      response.complete(Headers.empty());
    }
  }

  /** At the end of a pass: a response that goes on gets a body to be read from. */
  void prepare(long now) {
    response.heard(now);
    if (!abandoned) {
      response.streamRest();
    }
  }

  /** Under the lock, at the end of a pass: how many bytes more wait for the reader. */
  long takeAppended() {
    long count = response.streamed() - accounted;
    accounted += count;
    unread += count;
    wasHeldBack |= unread >= HELD_BACK_BYTES;
    return count;
  }

  /** At the end of a pass: bytes that will not be read: padding, or discarded. */
  long takeUnwanted() {
    long bytes = unwanted;
    unwanted = 0;
    return bytes;
  }

  /** Called when all input of a read was parsed: wakes the caller if it has what it waits for. */
  void publish() {
    touched = false;
    response.publish();
    // The sender may wait for the window of a stream that has ended.
    if (response.isComplete()) {
      endSending();
    }
  }

  /** Fails the content of a response that has begun, otherwise the exchange. */
  void fail(Exception cause) {
    cutBy = cause;
    cut = true;
    response.fail(cause, !abandoned);
    endSending();
    Directions both = directions;
    if (both != null && both.endOutput()) {
      // The response was read, and the caller may never write again. Listeners may block.
      boolean whole = both.isInputWhole();
      Thread.ofVirtual().name("heddle-upload").start(() -> connection.end(this, whole));
    }
  }

  private void endSending() {
    if (sending) {
      connection.loop().unpark(sender);
      abortReading();
    }
  }

  private void abortReading() {
    RequestBodyReader content = reading;
    if (content != null) {
      content.abort();
    }
  }

  /** From any thread: the stream takes content again. */
  void onWritable() {
    writable = true;
    connection.loop().unpark(sender);
  }

  // ---- time, on the loop and under the lock

  /**
   * Why the exchange is out of time, or null if it is not.
   *
   * @param wasWithheld whether our side has kept all streams waiting since this was called last
   * @param isWithheld whether it does so now: the peer may wait because of other exchanges
   */
  @Nullable
  Exception overdue(long now, boolean wasWithheld, boolean isWithheld) {
    boolean heldBack = wasWithheld || wasHeldBack;
    wasHeldBack = false;
    return response.overdue(now, !sending && unread == 0 && !isWithheld, heldBack);
  }

  /** The reader has read {@code bytes} bytes. Under the lock. */
  void read(int bytes, long now) {
    unread -= bytes;
    if (unread == 0) {
      response.waitFrom(now); // The peer was not silent: it may have waited for credit.
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

  /**
   * Parks until the stream accepts content, or sending is over.
   *
   * @param endsOnAnswer whether to return too when the response has begun
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   * @throws IOException if the time is up and the connection's timer has not fired
   */
  void awaitWritable(boolean endsOnAnswer) throws IOException {
    long since = ResponseCollector.NOT_WAITING;
    while (!writable && !isSendingOver() && !(endsOnAnswer && response.isAnswered())) {
      since = response.park("interrupted while sending a request", since);
    }
  }

  /** Whether the rest of the request need not be sent. */
  boolean isSendingOver() {
    return cut || abandoned || isOver();
  }

  /** Whether nothing more is to be received, nor sent by a caller that writes itself. */
  boolean isOver() {
    return response.isComplete() && (directions == null || directions.isOutputOver());
  }

  /** Why nothing more can be sent. */
  IOException sendingOver() {
    Exception cause = cutBy;
    return cause == null ? new IOException("the stream has ended") : explain(cause);
  }

  /** The caller, who writes the content itself, has ended it, or cannot write any more. */
  void outputOver() {
    Directions both = directions;
    if (both != null) {
      boolean over = both.endOutput();
      if (response.isComplete()) {
        connection.remove(this);
      }
      if (over) {
        connection.end(this, both.isInputWhole());
      }
    }
  }

  /** The request is sent, or as much of it as will be. */
  void sent(long now) {
    response.waitFrom(now);
    sending = false;
  }

  /** Parks until the content is to be sent; false if the answer came first. */
  boolean awaitContinue() throws IOException {
    boolean wanted = response.awaitContinue();
    if (!wanted) {
      withheld = true;
      sent(connection.now());
      if (response.failure() == null) {
        owner.contentWithheld();
      }
    }
    return wanted;
  }

  @Override
  public long checkWait(long since, long now) throws IOException {
    return response.checkWait(since, now);
  }

  /** Once there is an answer that is no failure. */
  Response received(Request request) {
    Http2Event.ResponseHead received = head;
    if (received == null) {
      throw new IllegalStateException("there is no answer yet");
    }
    return Response.received(
        request,
        received.status(),
        HttpVersion.HTTP_2,
        received.headers(),
        response.body(),
        response.trailers());
  }

  /** Whether the server has accepted an extended CONNECT (RFC 8441 §5). */
  private boolean isUpgraded(Http2Event.ResponseHead received) {
    return protocol != null && received.status().isSuccess();
  }

  /**
   * Lets the caller write in the other protocol, if the server has accepted it and has not ended
   * the stream.
   */
  void switchTo(UpgradeContent content) {
    Http2Event.ResponseHead received = head;
    if (received != null && isUpgraded(received) && response.isStreaming()) {
      sending = true; // A thread that writes is woken when the stream ends.
      content.switched(new StreamOutput(connection, this));
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

  // ---- the body's side

  @Override
  public void pause() {} // the stream's window bounds the unread content

  @Override
  public void resume() {}

  @Override
  public void taken(int bytes) {
    connection.taken(this, bytes);
  }

  @Override
  public void finished(boolean complete) {
    if (directions == null || directions.endInput(complete)) {
      connection.end(this, complete);
    }
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
