package heddle.connection.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.http1.Http1Session;
import heddle.connection.CollectedContent;
import heddle.connection.ConnectionMemory;
import heddle.connection.ContentFields;
import heddle.connection.MinimumRate;
import heddle.connection.RequestListener;
import heddle.connection.ServerLimits;
import heddle.connection.SilenceTimer;
import heddle.http.BodyTooLargeException;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Status;
import heddle.transport.Deadline;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a server's {@linkplain Http1ServerConnection connection}: makes requests of
 * what comes in, announces them, and holds the input behind one until it is answered. The loop's
 * own, but for {@link #release}.
 */
final class RequestReceiver {
  private static final CollectedContent NO_CONTENT = new CollectedContent(0);

  /** A body of a known length up to this is received before the request is announced. */
  static final int SMALL_BODY_BYTES = 16 * 1024;

  /** So much of a request costs nothing beyond what its connection does. */
  static final int FREE_HEAD_BYTES = 2 * 1024;

  /** What may wait behind a request until reading is paused. */
  private static final int HELD_BYTES = 64 * 1024;

  /** Where a connection is in what it receives. */
  enum State {
    /** Between messages, or in a head. */
    HEAD,
    /** In a body that is collected before the request is announced. */
    SMALL_BODY,
    /** In the body of a request that has been announced. */
    BODY,
    /** The request is received; waits for its answer, or for the next one. */
    COMPLETE,
    /**
     * The peer broke the protocol or was too slow: its input no longer counts; one answer goes
     * out.
     */
    DEAF,
    /** All is written and the output ended; waits for the peer to close. */
    LINGER,
    CLOSED
  }

  private final Http1ServerConnection connection;
  private final Http1Session session;
  private final ConnectionMemory memory;
  private final ServerLimits limits;
  private final RequestListener listener;
  private final SilenceTimer timer;
  private final Turn turn;

  private State state = State.HEAD;
  private boolean headStarted;

  /** Whether the head of a request has come on this connection. */
  private boolean requested;

  private @Nullable Http1ServerExchange exchange;
  private CollectedContent smallBody = NO_CONTENT;

  // Of the body that is being received: how many bytes have come, when the last of them came, and
  // the rate, once it has been waited for.
  private long bodyBytes;
  private long bodyHeardAt;
  private MinimumRate.@Nullable Progress bodyProgress;

  /** Whether the peer was still to be told that it may send, when this was looked at last. */
  private boolean continueOwed;

  private long discardedBytes;
  private @Nullable HeldInput held;

  /** What was held and is being parsed. */
  private @Nullable HeldInput takenUp;

  /** What is counted for a head that is cut. */
  private long headBytes;

  RequestReceiver(
      Http1ServerConnection connection, RequestListener listener, SilenceTimer timer, Turn turn) {
    this.connection = connection;
    this.memory = connection.memory();
    this.session = connection.session();
    this.limits = connection.limits();
    this.listener = listener;
    this.timer = timer;
    this.turn = turn;
  }

  State state() {
    return state;
  }

  boolean isHeadStarted() {
    return headStarted;
  }

  /** The request that is being received or answered, if any. */
  @Nullable
  Http1ServerExchange exchange() {
    return exchange;
  }

  /** The request whose message is being received. */
  Http1ServerExchange current() {
    Http1ServerExchange current = exchange;
    if (current == null) {
      throw new IllegalStateException("a part of a message without its head");
    }
    return current;
  }

  /** Whether a request was answered, and of the next no byte has come. */
  boolean isBetweenRequests() {
    return requested && isIdle();
  }

  boolean isIdle() {
    return switch (state) {
      case HEAD -> !headStarted;
      case COMPLETE -> turn.isAnswered() && held == null;
      case SMALL_BODY, BODY, DEAF, LINGER, CLOSED -> false;
    };
  }

  /**
   * Keeps nothing of a request that is received and answered. On the answering thread, before the
   * turn passes.
   */
  void release() {
    exchange = null;
  }

  /** The input no longer counts, but the request that it belongs to may still be answered. */
  void deafen() {
    if (state == State.SMALL_BODY) {
      smallBody = NO_CONTENT;
      current().releaseHeld(); // No thread will answer it.
    }
    state = State.DEAF;
    releaseHead();
  }

  /** Nothing more is received; what the peer still sends is read and thrown away. */
  void linger() {
    state = State.LINGER;
    releaseHeld();
  }

  /** The channel is closed. */
  void closed() {
    state = State.CLOSED;
    held = null;
    smallBody = NO_CONTENT;
  }

  /** Takes all of {@code bytes}. */
  void receive(ByteBuffer bytes) {
    switch (state) {
      case HEAD, SMALL_BODY, BODY -> parse(bytes);
      case COMPLETE -> {
        if (mayGoOn(bytes)) {
          parse(bytes);
        }
      }
      case DEAF, LINGER, CLOSED -> bytes.position(bytes.limit());
    }
  }

  private void parse(ByteBuffer in) {
    try {
      long now = connection.channel().loop().clock().nanoTime();
      boolean goOn = true;
      while (goOn) {
        Event event = session.next(in, now);
        if (event == null) {
          onInputUsedUp(in, now);
          return;
        }
        goOn = onEvent(event, in);
      }
    } catch (ProtocolException e) {
      connection.onViolation(e);
    }
  }

  /** Answers whether the next event may be asked for. */
  private boolean onEvent(Event event, ByteBuffer in) {
    return switch (event) {
      case Event.RequestHead head -> onHead(head);
      case Event.Data data -> onData(data.bytes());
      case Event.End end -> onMessageEnd(end.trailers(), in);
      case Event.ResponseHead _, Event.Interim _, Event.Upgraded _ ->
        throw new IllegalStateException("a server's session said " + event);
    };
  }

  private boolean onHead(Event.RequestHead head) {
    headStarted = false;
    requested = true;
    releaseHead();
    if (head.method().equals(Method.CONNECT)) {
      connection.refuse(Status.NOT_IMPLEMENTED);
      return false;
    }
    long length = head.hasBody() ? ContentFields.declaredLength(head.headers()) : 0;
    if (length > limits.maxBodyBytes()) {
      connection.refuse(Status.CONTENT_TOO_LARGE);
      return false;
    }
    if (length != 0 && memory.isExhausted()) {
      connection.refuseForLackOfMemory();
      return false;
    }
    Http1ServerExchange next = new Http1ServerExchange(connection, head, length);
    exchange = next;
    bodyBytes = 0;
    bodyProgress = null;
    continueOwed = head.expectContinue();
    if (length >= 0 && length <= SMALL_BODY_BYTES && !head.expectContinue()) {
      state = State.SMALL_BODY;
      smallBody = length == 0 ? NO_CONTENT : new CollectedContent((int) length);
      return true;
    }
    next.receiveInPieces();
    state = State.BODY;
    discardedBytes = 0;
    listener.onRequest(next);
    return true;
  }

  private boolean onData(ByteBuffer bytes) {
    bodyBytes += bytes.remaining();
    if (state == State.SMALL_BODY) {
      smallBody.append(bytes);
      if (current().collects(smallBody.heldBytes()) && memory.isExhausted()) {
        connection.refuseForLackOfMemory();
        return false;
      }
      return true;
    }
    Http1ServerExchange current = current();
    if (turn.isAnswered()) {
      discardedBytes += bytes.remaining();
      if (discardedBytes > limits.maxDiscardBytes()) {
        connection.linger();
        return false;
      }
    }
    if (!current.received(bytes)) {
      current.fail(Status.CONTENT_TOO_LARGE, tooLarge());
      state = State.DEAF;
      return false;
    }
    return true;
  }

  private BodyTooLargeException tooLarge() {
    return new BodyTooLargeException(
        "the request's body is longer than the server's limit of " + limits.maxBodyBytes()
            + " bytes",
        null,
        null);
  }

  private boolean onMessageEnd(Headers trailers, ByteBuffer in) {
    Http1ServerExchange current = current();
    if (state == State.SMALL_BODY) {
      current.receivedWhole(smallBody.whole(), trailers);
      smallBody = NO_CONTENT;
      state = State.COMPLETE;
      turn.received();
      listener.onRequest(current);
    } else {
      state = State.COMPLETE;
      current.receivedEnd(trailers);
      turn.received();
    }
    return mayGoOn(in);
  }

  /**
   * After a complete request: whether the next may be parsed from {@code in}. If not, what is left
   * in it is kept, and whoever answers the request sees to it that it is taken up.
   */
  private boolean mayGoOn(ByteBuffer in) {
    HeldInput behind = held;
    if (behind != null) {
      behind.append(in, memory, HELD_BYTES);
      return false;
    }
    if (turn.isAnswered()) {
      return beginMessage();
    }
    if (!in.hasRemaining()) {
      return false;
    }
    if (turn.holds()) {
      return beginMessage(); // Answered just before.
    }
    // Whoever answers has the loop take it up, which is here until it is held.
    HeldInput again = takenUp;
    held = again != null && again.holdAgain(in, memory, HELD_BYTES)
        ? again
        : HeldInput.of(in, memory, HELD_BYTES);
    return false;
  }

  /** Both halves are done with a message: answers whether the next may be received. */
  private boolean beginMessage() {
    exchange = null;
    if (!session.isReusable()) {
      connection.linger();
      return false;
    }
    state = State.HEAD;
    headStarted = false;
    turn.begin();
    session.nextMessage();
    return true;
  }

  private @Nullable ByteBuffer releaseHeld() {
    HeldInput behind = held;
    held = null;
    return behind == null ? null : behind.release(memory);
  }

  private void onInputUsedUp(ByteBuffer in, long now) {
    in.position(in.limit());
    if (connection.isEnded()) {
      connection.onEnd(); // this was held input: the end that came behind it is due now
      return;
    }
    switch (state) {
      case HEAD -> {
        if (session.isReceiving() && !headStarted) {
          headStarted = true;
          timer.arm(limits.headTimeout());
        }
        if (headStarted) {
          holdHead();
        } else if (connection.isDraining()) {
          connection.closeIfIdle();
        }
      }
      case SMALL_BODY, BODY -> awaitBody(now);
      case COMPLETE, DEAF, LINGER, CLOSED -> {}
    }
  }

  /** A head that is cut takes memory; when there is none left for long ones it is given up. */
  private void holdHead() {
    long now = Math.max(0, session.headBytes() - FREE_HEAD_BYTES);
    if (now > headBytes) {
      memory.hold(now - headBytes);
      headBytes = now;
      if (memory.isExhausted()) {
        connection.refuseForLackOfMemory();
      }
    }
  }

  private void releaseHead() {
    if (headBytes > 0) {
      memory.release(headBytes);
      headBytes = 0;
    }
  }

  /** All that has come of the body is taken: its next part may take until then. */
  void awaitBody(long nowNanos) {
    bodyHeardAt = nowNanos;
    armForBody(bodyProgress(nowNanos));
  }

  /** Begins to measure the rate when the body has to be waited for, which most have not. */
  private MinimumRate.Progress bodyProgress(long nowNanos) {
    MinimumRate.Progress begun = bodyProgress;
    if (begun == null) {
      begun = new MinimumRate.Progress(limits.minRate(), nowNanos);
      begun.look(nowNanos, bodyBytes, current().owesContinue());
      bodyProgress = begun;
    }
    return begun;
  }

  private void armForBody(MinimumRate.Progress progress) {
    long silentAt = bodyHeardAt + Deadline.boundedNanos(limits.bodyTimeout());
    timer.armAt(Math.min(silentAt, progress.dueAt()));
  }

  /**
   * The timer has fired in the middle of a body: what is wrong with the body, or null if its next
   * part may take longer. Time in which it is our side that does not read is not held against the
   * peer.
   */
  @Nullable
  String checkBody() {
    long now = connection.channel().loop().clock().nanoTime();
    Http1ServerExchange current = current();
    boolean waitedForContinue = continueOwed;
    continueOwed = current.owesContinue();
    if (state == State.BODY && (current.isSlowReader() || waitedForContinue)) {
      bodyHeardAt = now;
    }
    if (now - bodyHeardAt >= Deadline.boundedNanos(limits.bodyTimeout())) {
      return "nothing of the request's body came for " + limits.bodyTimeout();
    }
    MinimumRate.Progress progress = bodyProgress(now);
    progress.look(now, bodyBytes, memory.wasPaused() || waitedForContinue);
    if (progress.isTooSlow()) {
      return "the request's body came more slowly than " + limits.minRate();
    }
    armForBody(progress);
    return null;
  }

  /** The request before it is answered: goes on with what was held behind it. */
  void takeUpHeld() {
    if (state != State.COMPLETE) {
      return;
    }
    HeldInput behind = held;
    ByteBuffer in = releaseHeld();
    if (beginMessage() && in != null) {
      takenUp = behind;
      try {
        parse(in);
      } finally {
        takenUp = null;
      }
    }
  }
}
