package heddle.connection.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.http1.Http1Session;
import heddle.connection.CollectedContent;
import heddle.connection.ConnectionMemory;
import heddle.connection.ContentFields;
import heddle.http.BodyTooLargeException;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a server's {@linkplain Http1ServerConnection connection}: makes requests of
 * the input, announces them, and holds the input behind a request until it is answered. Complete
 * requests without content that have arrived behind one are taken out of the input with it. Used by
 * the loop only, except {@link #release}.
 */
final class RequestReceiver implements Runnable {
  private static final byte[] NO_BYTES = {};

  /** A body of a known length up to this is received before the request is announced. */
  static final int SMALL_BODY_BYTES = 16 * 1024;

  /** Heads up to this size are covered by their connection's fixed cost. */
  static final int FREE_HEAD_BYTES = 2 * 1024;

  /** How many bytes may wait behind a request before reading is paused. */
  private static final int HELD_BYTES = 64 * 1024;

  /** How many requests may be taken out of the input at once, the first included. */
  private static final int MOST_TOGETHER = 32;

  /** Where a connection is in what it receives. */
  enum State {
    /** Before the first message. */
    FIRST,
    /** Between messages: nothing has arrived of the next. */
    IDLE,
    /** In a head. */
    HEAD,
    /** In a body that is collected before the request is announced. */
    SMALL_BODY,
    /** In the body of a request that has been announced. */
    BODY,
    /** The request is received; waits for its answer, or for the next one. */
    COMPLETE,
    /** The peer broke the protocol or was too slow: its input is ignored; one answer is sent. */
    DEAF,
    /** Another protocol has taken over, which the request's thread speaks. */
    UPGRADED,
    /** All is written and the output has ended; waits for the peer to close. */
    LINGER,
    CLOSED;

    /** Whether the current request, if any, has been announced. */
    boolean isAnnounced() {
      // A switch over this enum in another class would load a synthetic class when it first runs,
      // which fails if memory has run out when the first connection closes.
      return compareTo(BODY) >= 0;
    }
  }

  private final Http1ServerConnection connection;

  private State state = State.FIRST;
  private @Nullable Http1ServerExchange exchange;

  /** Null between messages; made when the next begins. */
  private @Nullable Http1Session session;

  /** The memory counted for a head that has come in part. */
  private int headBytes;

  // Input behind a request that waits, and such input that is being parsed.
  private @Nullable HeldInput held;
  private @Nullable HeldInput takenUp;

  RequestReceiver(Http1ServerConnection connection) {
    this.connection = connection;
  }

  State state() {
    return state;
  }

  /** The request that is being received or answered, if any. */
  @Nullable
  Http1ServerExchange exchange() {
    return exchange;
  }

  /** The request whose message is being received. */
  Http1ServerExchange current() {
    if (exchange == null) {
      throw new IllegalStateException("a part of a message without its head");
    }
    return exchange;
  }

  /** Whether a request was answered, and no byte of the next has arrived. */
  boolean isBetweenRequests() {
    return state != State.FIRST && isIdle();
  }

  boolean isIdle() {
    return switch (state) {
      case FIRST, IDLE -> true;
      case COMPLETE -> connection.isAnswered() && held == null;
      case HEAD, SMALL_BODY, BODY, DEAF, UPGRADED, LINGER, CLOSED -> false;
    };
  }

  /** Drops a request that is received and answered; on the answering thread, before its mark. */
  void release() {
    exchange = null;
    if (session != null && session.isReplaceable()) {
      session = null;
    }
  }

  long contentAhead() {
    Http1Session current = session;
    return current == null ? 0 : current.contentAhead();
  }

  /** The input has ended in the middle of a body. */
  void endOfInput() throws ProtocolException {
    session().endOfInput();
  }

  private Http1Session session() {
    if (session == null) {
      session = newSession();
    }
    return session;
  }

  private Http1Session newSession() {
    return Http1Session.server(
        connection.limits().codec(),
        connection.resources().parsers().of(connection.channel().loop()),
        connection.resources().hostRequired());
  }

  private ArrivingContent content() {
    ArrivingContent content = current().content;
    if (content == null) {
      throw new IllegalStateException("no content is being received");
    }
    return content;
  }

  /**
   * Reports that the request which is being received is refused.
   *
   * @param in what the session has not taken
   */
  void reportRefused(@Nullable Status status, ByteBuffer in) {
    Http1ServerExchange known = exchange;
    if (known != null) {
      known.reportRefused(status);
    } else {
      String line = session == null ? "" : session.requestLine(in);
      connection.listener.onRefused(connection.channel(), line, Headers.empty(), status);
    }
  }

  /** Ignores further input, but the request that it belongs to may still be answered. */
  void deafen() {
    if (state == State.SMALL_BODY) {
      current().content = null;
      current().releaseHeld(); // No thread will answer it.
    }
    state = State.DEAF;
    releaseHead();
  }

  /** The rest of an announced request will not arrive: its body's reader gets the failure. */
  void failBody(Status status, IOException failure) {
    deafen();
    current().fail(status, failure);
  }

  /** Receives nothing more; what the peer still sends is read and discarded. */
  void linger() {
    state = State.LINGER;
    releaseHeld();
  }

  /** The channel is closed. */
  void closed() {
    state = State.CLOSED;
    held = null;
    Http1ServerExchange last = exchange;
    if (last != null) {
      last.content = null;
    }
  }

  /** Takes all of {@code bytes}. */
  void receive(ByteBuffer bytes) {
    switch (state) {
      case FIRST, IDLE, HEAD, SMALL_BODY, BODY -> parse(bytes);
      case COMPLETE -> {
        if (mayGoOn(bytes)) {
          parse(bytes);
        }
      }
      case UPGRADED -> upgraded().received(bytes);
      case DEAF, LINGER, CLOSED -> bytes.position(bytes.limit());
    }
  }

  // Another protocol.

  /**
   * The connection has switched to another protocol, to which the input behind the request belongs
   * (RFC 9110 §7.8).
   */
  void upgrade(Http1Upgraded taking) {
    if (state != State.COMPLETE) {
      taking.lost(null); // The channel was closed meanwhile.
      return;
    }
    state = State.UPGRADED;
    connection.timer.arm(Deadline.NEVER_NANOS); // The other protocol has its own limits.
    HeldInput behind = held;
    held = null;
    if (behind != null) {
      taking.received(behind.take());
      behind.drop();
    }
    if (connection.draining) {
      taking.drain();
    }
    if (connection.ended) {
      taking.inputEnded();
    }
  }

  private Http1Upgraded upgraded() {
    Http1Upgraded upgraded = current().upgraded();
    if (upgraded == null) {
      throw new IllegalStateException("the connection has not switched to another protocol");
    }
    return upgraded;
  }

  /** The peer has ended its direction of the other protocol. */
  void upgradedEnded() {
    upgraded().inputEnded();
  }

  /** The channel was closed while the other protocol had it. */
  void upgradedLost(@Nullable IOException cause) {
    upgraded().lost(cause);
  }

  /** The server begins to close. */
  void drain() {
    if (state == State.UPGRADED) {
      upgraded().drain();
    }
  }

  /** The connection's timer has fired. */
  @Override
  public void run() {
    connection.onTimer();
  }

  private void parse(ByteBuffer in) {
    try {
      long now = connection.channel().loop().clock().nanoTime();
      Event event;
      do {
        event = session == null && !in.hasRemaining() ? null : session().next(in, now);
      } while (event != null && onEvent(event, in));
      if (event == null) {
        onInputUsedUp(in, now);
      }
    } catch (ProtocolException e) {
      connection.onViolation(e, in);
    }
  }

  /** Returns whether the session may be asked for the next event. */
  private boolean onEvent(Event event, ByteBuffer in) {
    return switch (event) {
      case Event.RequestHead head -> onHead(head);
      case Event.Data data -> onData(data.bytes());
      case Event.End end -> onMessageEnd(end.trailers(), in);
      case Event.ResponseHead unused -> throw unexpected(event);
      case Event.Interim unused -> throw unexpected(event);
      case Event.Upgraded unused -> throw unexpected(event);
    };
  }

  private static IllegalStateException unexpected(Event event) {
    return new IllegalStateException("a server's session said " + event);
  }

  private boolean onHead(Event.RequestHead head) {
    state = State.HEAD;
    releaseHead();
    if (head.method().equals(Method.CONNECT)) {
      return refuse(head, Status.NOT_IMPLEMENTED);
    }
    long length = head.hasBody() ? ContentFields.declaredLength(head.headers()) : 0;
    if (length > connection.limits().maxBodyBytes()) {
      connection.listener.onFault();
      return refuse(head, Status.CONTENT_TOO_LARGE);
    }
    boolean exhausted = length != 0 && connection.isMemoryExhausted();
    if (exhausted && (length < 0 || length > ConnectionMemory.FREE_BYTES)) {
      return refuse(head, Status.SERVICE_UNAVAILABLE);
    }
    Http1ServerExchange next = new Http1ServerExchange(connection, session(), head, length);
    exchange = next;
    ArrivingContent content = length == 0 ? null : new ArrivingContent(next, connection.limits());
    next.content = content;
    // Little content is read and dropped after the refusal, so that the connection can stay open.
    if (!exhausted && length >= 0 && length <= SMALL_BODY_BYTES && !head.expectContinue()) {
      state = State.SMALL_BODY;
      if (content != null) {
        content.collected = new CollectedContent((int) length);
      }
      return true;
    }
    next.receiveInPieces();
    state = State.BODY;
    connection.listener.onRequest(next);
    return true;
  }

  private boolean refuse(Event.RequestHead head, Status status) {
    connection.refuse(head, status);
    return false;
  }

  private boolean onData(ByteBuffer bytes) {
    ArrivingContent arriving = content();
    arriving.bytes += bytes.remaining();
    Http1ServerExchange current = current();
    CollectedContent collected = arriving.collected;
    if (collected != null) {
      collected.append(bytes);
      if (current.collects(collected.heldBytes()) && connection.isMemoryExhausted()) {
        connection.refuse(Status.SERVICE_UNAVAILABLE);
        return false;
      }
      return true;
    }
    if (connection.isAnswered()) {
      arriving.discardedBytes += bytes.remaining();
      if (arriving.discardedBytes > connection.limits().maxDiscardBytes()) {
        connection.linger();
        return false;
      }
    }
    if (!current.received(bytes)) {
      connection.listener.onFault();
      String message = "the request's body is longer than the server's limit of "
          + connection.limits().maxBodyBytes() + " bytes";
      failBody(Status.CONTENT_TOO_LARGE, new BodyTooLargeException(message, null, null));
      return false;
    }
    return true;
  }

  private boolean onMessageEnd(Headers trailers, ByteBuffer in) {
    Http1ServerExchange current = current();
    if (state == State.SMALL_BODY) {
      CollectedContent collected = current.content == null ? null : current.content.collected;
      if (collected == null && !in.hasRemaining() && connection.passesOn(current)) {
        return false;
      }
      current.receivedWhole(collected == null ? NO_BYTES : collected.whole(), trailers);
      current.content = null;
      state = State.COMPLETE;
      receiveTogether(current, in);
      connection.markReceived();
      connection.listener.onRequest(current);
    } else {
      state = State.COMPLETE;
      current.inbound().end(trailers);
      connection.markReceived();
    }
    return mayGoOn(in);
  }

  /**
   * Takes out of the input the requests behind one that is complete, as far as nothing but an
   * answer is needed for each: the thread that answers one announces the next, without the loop.
   */
  private void receiveTogether(Http1ServerExchange first, ByteBuffer in) {
    if (!in.hasRemaining() || !mayBeFollowed(first.session, first.head())) {
      return;
    }
    Http1ServerExchange last = first;
    for (int i = 1; i < MOST_TOGETHER && in.hasRemaining(); i++) {
      int start = in.position();
      Http1ServerExchange next = receiveFollower(in);
      if (next == null) {
        in.position(start);
        break;
      }
      last.followedBy(next);
      last = next;
    }
    session = last.session;
  }

  private static boolean mayBeFollowed(Http1Session session, Event.RequestHead head) {
    return session.allowsFollowers() && !head.headers().contains(HeaderName.UPGRADE);
  }

  /** The next request; null, with input taken nevertheless, if it is not to be answered as yet. */
  private @Nullable Http1ServerExchange receiveFollower(ByteBuffer in) {
    Http1Session own = newSession();
    long now = connection.channel().loop().clock().nanoTime();
    try {
      if (own.next(in, now) instanceof Event.RequestHead head
          && !head.hasBody()
          && !head.method().equals(Method.CONNECT)
          && own.next(in, now) instanceof Event.End
          && mayBeFollowed(own, head)
          && !connection.isMemoryExhausted()) {
        return new Http1ServerExchange(connection, own, head, 0);
      }
    } catch (ProtocolException e) {
      // Found again when the requests before it are answered.
    }
    return null;
  }

  /** After a complete request: whether to parse the next from {@code in}; if not, it is held. */
  private boolean mayGoOn(ByteBuffer in) {
    if (held != null) {
      held.append(in);
      return false;
    }
    if (connection.isAnswered()) {
      return beginMessage();
    }
    if (!in.hasRemaining()) {
      return false;
    }
    if (connection.markHolding()) {
      return beginMessage(); // Answered just before.
    }
    // The answering thread has the loop continue with it, which runs only after this has held it.
    if (takenUp != null) {
      held = takenUp; // It is where the input comes from.
    } else {
      held = new HeldInput(connection.memory(), HELD_BYTES);
      held.append(in);
    }
    return false;
  }

  /** Both halves are done with a message: returns whether the next may be received. */
  private boolean beginMessage() {
    exchange = null;
    Http1Session last = session;
    if (last != null) {
      if (!last.isReusable()) {
        connection.linger();
        return false;
      }
      last.nextMessage();
    }
    state = State.IDLE;
    connection.clearMarks();
    return true;
  }

  private void releaseHeld() {
    HeldInput behind = held;
    held = null;
    if (behind != null && behind != takenUp) {
      behind.release();
    }
  }

  private void onInputUsedUp(ByteBuffer in, long now) {
    in.position(in.limit());
    if (connection.ended) {
      connection.onEnd(); // this was held input; the end of input that followed it is handled now
      return;
    }
    switch (state) {
      case FIRST, IDLE -> {
        if (session != null && session.isReceiving()) {
          state = State.HEAD;
          connection.arm(connection.limits().headTimeout());
          holdHead();
        } else if (connection.draining) {
          connection.closeIfIdle();
        }
      }
      case HEAD -> holdHead();
      case SMALL_BODY, BODY -> awaitBody(now);
      case COMPLETE, DEAF, UPGRADED, LINGER, CLOSED -> {}
    }
  }

  /** A partial head takes memory; if the budget is used up, a long one is refused. */
  private void holdHead() {
    int now = Math.max(0, session().headBytes() - FREE_HEAD_BYTES);
    if (now > headBytes) {
      connection.memory().hold(now - headBytes);
      headBytes = now;
      if (connection.isMemoryExhausted()) {
        connection.refuse(Status.SERVICE_UNAVAILABLE);
      }
    }
  }

  private void releaseHead() {
    if (headBytes > 0) {
      connection.memory().release(headBytes);
      headBytes = 0;
    }
  }

  /** The input so far is taken: starts the time for the next part of the body. */
  void awaitBody(long nowNanos) {
    connection.timer.arm(content().await(nowNanos));
  }

  /**
   * The timer has fired in a body: returns what is wrong with the body, or null if its next part
   * may take longer.
   */
  @Nullable
  String checkBody() {
    ArrivingContent arriving = content();
    long now = connection.channel().loop().clock().nanoTime();
    String fault = arriving.check(now, connection.memory().wasPaused());
    if (fault == null) {
      connection.timer.arm(arriving.dueAt());
    }
    return fault;
  }

  /** The current request is answered: goes on with the input held behind it. */
  void takeUpHeld() {
    if (state != State.COMPLETE) {
      return;
    }
    HeldInput behind = held;
    held = null;
    takenUp = behind;
    ByteBuffer in = behind == null ? null : behind.take();
    try {
      if (beginMessage() && in != null) {
        parse(in);
      }
    } finally {
      takenUp = null;
      if (behind != null && held == behind) {
        behind.keep();
      } else if (behind != null) {
        behind.drop();
      }
    }
  }
}
