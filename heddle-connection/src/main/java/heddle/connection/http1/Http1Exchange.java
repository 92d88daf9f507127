package heddle.connection.http1;

import heddle.codec.Event;
import heddle.connection.Exchange;
import heddle.connection.InboundBody;
import heddle.connection.request.RequestBodyReader;
import heddle.connection.request.ResponseCollector;
import heddle.http.Request;
import heddle.http.duplex.UpgradeContent;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response on an HTTP/1.1 connection: the caller sends and waits, the loop
 * fills in the response.
 */
final class Http1Exchange implements InboundBody.Source {
  /** Above this many bytes that are unread, no more are read from the channel. */
  private static final int MAX_UNREAD_BYTES = 256 * 1024;

  final Http1Connection connection;
  final Exchange owner;
  final ResponseCollector response;

  /** Where the caller writes if the server switches to the protocol it offers; null for most. */
  private final @Nullable UpgradeContent upgrade;

  /** Another protocol that the request offers; null for none. */
  private final Http1Connection.@Nullable Successor offered;

  /**
   * The bytes received in the protocol offered; null while the server has not switched to it. Set
   * by the loop before it publishes the answer.
   */
  volatile @Nullable ByteBuffer switched;

  /**
   * Whether the server has switched to a protocol that the request's caller speaks: what follows
   * is passed on as the content of the response. Set by the loop before it publishes the answer.
   */
  private volatile boolean upgraded;

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
  volatile @Nullable RequestBodyReader reading;

  /** The loop's own: when to check a request that was answered early. */
  long writeUntil = Deadline.NEVER_NANOS;

  // How many pieces of the content were written; set by the writer, read by the loop. And the
  // loop's own: that number at its last check.
  private volatile int pieces;
  private int piecesSeen;

  /** Whether the channel is paused because the body's reader is slow: no input is seen. */
  private volatile boolean paused;

  /** Written by the loop before the response is published, used by the caller after it. */
  private Event.@Nullable ResponseHead head;

  Http1Exchange(
      Http1Connection connection,
      Exchange owner,
      Request request,
      Http1Connection.@Nullable Successor offered,
      long now) {
    this.connection = connection;
    this.owner = owner;
    this.upgrade = request.body() instanceof UpgradeContent content ? content : null;
    this.offered = offered;
    this.response = new ResponseCollector(
        request, owner, this, connection.channel().loop(), MAX_UNREAD_BYTES, now);
  }

  // ---- the loop's side

  /** Takes an event of the session; {@code rest} is the input behind it. */
  void on(Event event, ByteBuffer rest) {
    // No switch for these: the first one over types takes a process longer than a short call.
    if (event instanceof Event.ResponseHead received) {
      head = received;
      response.head(received.headers());
    } else if (event instanceof Event.Data data) {
      response.append(data.bytes());
    } else if (event instanceof Event.End end) {
      response.complete(end.trailers());
    } else {
      onRare(event, rest);
    }
  }

  /** Takes an event that few exchanges have; the compiler names an event that is new. */
  private void onRare(Event event, ByteBuffer rest) {
    switch (event) {
      case Event.Interim interim -> response.interim(interim.status(), interim.headers());
      case Event.Upgraded unused
      when upgrade != null -> {
        upgraded = true;
        response.liftLimits(); // The other protocol has its own.
      }
      case Event.Upgraded unused -> {
        if (offered != null && head != null && offered.accepts(head.headers())) {
          switched = ByteBuffer.allocate(rest.remaining()).put(rest).flip();
          connection.channel().pauseReading(); // The new protocol begins after the request is sent.
        } else {
          response.refuse(
              new IOException("the server switched to another protocol, which was not offered"));
        }
      }
      case Event.RequestHead unused -> throw unexpected(event);
      case Event.ResponseHead unused -> throw unexpected(event);
      case Event.Data unused -> throw unexpected(event);
      case Event.End unused -> throw unexpected(event);
    }
  }

  private static IllegalStateException unexpected(Event event) {
    return new IllegalStateException("a client's session does not read this here: " + event);
  }

  /** Fails the content of a response that has begun, otherwise the exchange. */
  void fail(Exception cause) {
    response.fail(cause, true);
    abortReading();
  }

  /** Stops reading the request's body, because the rest is not needed. */
  void abortReading() {
    RequestBodyReader content = reading;
    if (content != null) {
      content.abort();
    }
  }

  /** Whether the caller speaks another protocol with the server. */
  boolean isUpgraded() {
    return upgraded;
  }

  /**
   * The caller's side: lets the caller write in the other protocol, in which the connection may be
   * idle for hours, so that it keeps no fields.
   */
  void switchTo(OutputStream out) {
    head = null;
    response.forgetHead();
    if (upgrade != null) {
      upgrade.switched(out);
    }
  }

  /** Whether it is the peer's turn to send. */
  boolean isPeersTurn() {
    return !sending && !paused;
  }

  /** Whether a request that was answered early is still making progress. */
  boolean goesOn() {
    int written = pieces;
    boolean moved = written != piecesSeen;
    piecesSeen = written;
    return moved && !isRestUnwanted();
  }

  // ---- the caller's side

  /**
   * Whether the rest of the request is of no use: the exchange failed, or the response is not a
   * successful one (RFC 9112 §9.5). A server that answers with success may send more after it has
   * read the rest.
   */
  boolean isRestUnwanted() {
    boolean unsuccessful =
        response.isAnswered() && (response.failure() != null || !head().status().isSuccess());
    // RFC 9110 §7.8, RFC 7540 §3.2: all of it precedes the other protocol.
    return unsuccessful && switched == null && !upgraded;
  }

  /** A piece of the content was written. Called by one thread. */
  void pieceWritten() {
    int next = pieces + 1;
    pieces = next;
  }

  /** Parks until the content is to be sent; false if the answer came first. */
  boolean awaitContinue() throws IOException {
    if (response.awaitContinue() || switched != null) {
      return true;
    }
    throwFailure();
    owner.contentWithheld();
    return false;
  }

  /** Throws what went wrong instead of an answer, if anything did. */
  void throwFailure() throws IOException {
    Exception failure = response.failure();
    if (failure != null) {
      throw owner.explain(failure);
    }
  }

  /** Whether the answer came while the request is still being written. */
  boolean isAnsweredEarly() {
    return response.isAnswered() && sending && switched == null && !upgraded;
  }

  /** Once there is an answer that is no failure. */
  Event.ResponseHead head() {
    Event.ResponseHead received = head;
    if (received == null) {
      throw new IllegalStateException("there is no answer yet");
    }
    return received;
  }

  // ---- the body's side

  @Override
  public void pause() {
    paused = true;
    connection.channel().pauseReading();
  }

  @Override
  public void resume() {
    // The peer was not silent: we did not read.
    response.waitFrom(connection.now());
    paused = false;
    connection.channel().resumeReading();
  }

  @Override
  public long checkWait(long since, long now) throws IOException {
    return response.checkWait(since, now);
  }

  @Override
  public void finished(boolean complete) {
    connection.end(this, complete);
  }

  @Override
  public void failed(IOException failure) {
    owner.failed(failure);
  }

  @Override
  public IOException explain(Exception cause) {
    return owner.explain(cause);
  }
}
