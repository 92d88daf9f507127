package heddle.connection.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.codec.Role;
import heddle.codec.http1.Http1Session;
import heddle.connection.ContentFields;
import heddle.http.BodyTooLargeException;
import heddle.http.ConnectionLostException;
import heddle.http.DeadlineExceededException;
import heddle.http.Headers;
import heddle.http.MalformedMessageException;
import heddle.http.Method;
import heddle.http.Status;
import heddle.transport.Channel;
import heddle.transport.ChannelListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A server's side of one HTTP/1.1 connection: feeds what the channel brings to the session, hands
 * complete heads to the listener, keeps the time, and takes the connection up again when a request
 * is answered. One request is answered at a time (RFC 9112 §9.3.2): input behind it is held.
 *
 * <p>Threads: everything that receives is the loop's own. The thread that answers a request has the
 * session's sending half from {@link Http1RequestListener#onRequest} until it calls {@link
 * #answered}. The two meet in the {@link Turn} alone. In the usual case it is the loop that goes
 * on, when the next request comes, and no thread has to be woken for it.
 */
public final class Http1ServerConnection implements ChannelListener {
  private static final byte[] NO_CONTENT = {};

  /** A body of a known length up to this is received before the request is announced. */
  static final int SMALL_BODY_BYTES = 16 * 1024;

  /** What may wait behind a request until reading is paused. */
  private static final int HELD_BYTES = 64 * 1024;

  /** Where the receiving half is. */
  private enum Receiving {
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

  private final Channel channel;
  private final Http1Session session;
  private final Http1ServerLimits limits;
  private final Http1RequestListener listener;
  private final SilenceTimer timer;
  private final HostCache hosts;
  private final Turn turn = new Turn();

  // The loop's own.
  private Receiving receiving = Receiving.HEAD;
  private boolean headStarted;
  private @Nullable Http1ServerExchange exchange;
  private byte[] smallBody = NO_CONTENT;
  private int smallBodyFilled;
  private long discardedBytes;
  private @Nullable HeldInput held;

  /** No further request is taken: the connection is closed as soon as it is idle. */
  private volatile boolean draining;

  /** The peer has sent its FIN: what was received is answered, then the channel is closed. */
  private volatile boolean ended;

  /**
   * @param parsers those of the server that accepted the channel
   */
  public Http1ServerConnection(
      Channel channel,
      Http1ServerLimits limits,
      HeadParsers parsers,
      Http1RequestListener listener) {
    this.channel = channel;
    this.limits = limits;
    this.listener = listener;
    this.session = new Http1Session(Role.SERVER, limits.codec(), parsers.of(channel.loop()));
    this.timer = new SilenceTimer(channel.loop(), this::onTimer);
    this.hosts = new HostCache(channel);
  }

  /** Begins to read. To be called once. */
  public void start() {
    timer.arm(limits.headTimeout());
    channel.start(this);
  }

  /**
   * Instead of {@link #start}: tells the peer that it cannot be served, and closes.
   *
   * @param retryAfterSeconds for the {@code Retry-After} field, RFC 9110 §10.2.3
   */
  public void startRefusing(Status status, int retryAfterSeconds) {
    receiving = Receiving.DEAF;
    channel.start(this);
    writeRefusal(status, retryAfterSeconds);
  }

  /** Closes the connection as soon as no request is being answered. From any thread. */
  public void drain() {
    draining = true;
    channel.loop().execute(this::closeIfIdle);
  }

  /** Closes the channel now and interrupts the thread that answers a request. From any thread. */
  public void abort() {
    channel.close();
    // A thread that is giving the connection back at this moment ends by itself.
    channel.loop().execute(() -> {
      Http1ServerExchange current = exchange;
      if (current != null) {
        current.interrupt();
      }
    });
  }

  Channel channel() {
    return channel;
  }

  Http1Session session() {
    return session;
  }

  Http1ServerLimits limits() {
    return limits;
  }

  /** The sender's own while it answers. */
  HostCache hosts() {
    return hosts;
  }

  boolean isDraining() {
    return draining;
  }

  // Receiving, on the loop.

  @Override
  public void onBytes(ByteBuffer bytes) {
    switch (receiving) {
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
      boolean goOn = true;
      while (goOn) {
        Event event = session.next(in);
        if (event == null) {
          onInputUsedUp(in);
          return;
        }
        goOn = onEvent(event, in);
      }
    } catch (ProtocolException e) {
      onViolation(e);
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
    if (head.method().equals(Method.CONNECT)) {
      refuse(Status.NOT_IMPLEMENTED);
      return false;
    }
    long length = head.hasBody() ? ContentFields.declaredLength(head.headers()) : 0;
    if (length > limits.maxBodyBytes()) {
      refuse(Status.CONTENT_TOO_LARGE);
      return false;
    }
    Http1ServerExchange next = new Http1ServerExchange(this, head, length);
    exchange = next;
    if (length >= 0 && length <= SMALL_BODY_BYTES && !head.expectContinue()) {
      receiving = Receiving.SMALL_BODY;
      smallBody = length == 0 ? NO_CONTENT : new byte[(int) length];
      smallBodyFilled = 0;
      return true;
    }
    receiving = Receiving.BODY;
    discardedBytes = 0;
    next.receiveInPieces();
    listener.onRequest(next);
    return true;
  }

  private boolean onData(ByteBuffer bytes) {
    if (receiving == Receiving.SMALL_BODY) {
      int length = bytes.remaining();
      bytes.get(smallBody, smallBodyFilled, length);
      smallBodyFilled += length;
      return true;
    }
    Http1ServerExchange current = current();
    if (turn.isAnswered()) {
      discardedBytes += bytes.remaining();
      if (discardedBytes > limits.maxDiscardBytes()) {
        linger();
        return false;
      }
    }
    if (!current.received(bytes)) {
      current.fail(Status.CONTENT_TOO_LARGE, tooLarge());
      receiving = Receiving.DEAF;
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
    if (receiving == Receiving.SMALL_BODY) {
      receiving = Receiving.COMPLETE;
      turn.received();
      current.receivedWhole(smallBody, trailers);
      smallBody = NO_CONTENT;
      listener.onRequest(current);
    } else {
      receiving = Receiving.COMPLETE;
      current.receivedEnd(trailers);
      turn.received();
    }
    return mayGoOn(in);
  }

  private Http1ServerExchange current() {
    Http1ServerExchange current = exchange;
    if (current == null) {
      throw new IllegalStateException("a part of a message without its head");
    }
    return current;
  }

  /**
   * After a complete request: whether the next may be parsed from {@code in}. If not, what is left
   * in it is kept, and whoever answers the request sees to it that it is taken up.
   */
  private boolean mayGoOn(ByteBuffer in) {
    HeldInput behind = held;
    if (behind != null) {
      behind.append(in, channel, HELD_BYTES);
      return false;
    }
    if (turn.isAnswered()) {
      return beginMessage();
    }
    if (!in.hasRemaining()) {
      return false;
    }
    int start = in.position();
    held = HeldInput.of(in, channel, HELD_BYTES);
    if (turn.holds()) {
      // Answered just before, so the answering thread does not know of what is held.
      in.position(start);
      releaseHeld();
      return beginMessage();
    }
    return false;
  }

  /** Both halves are done with a message: answers whether the next may be received. */
  private boolean beginMessage() {
    exchange = null;
    if (!session.isReusable()) {
      linger();
      return false;
    }
    receiving = Receiving.HEAD;
    headStarted = false;
    turn.begin();
    session.nextMessage();
    return true;
  }

  private @Nullable ByteBuffer releaseHeld() {
    HeldInput behind = held;
    held = null;
    return behind == null ? null : behind.release(channel);
  }

  private void onInputUsedUp(ByteBuffer in) {
    in.position(in.limit());
    if (ended) {
      onEnd(); // this was held input: the end that came behind it is due now
      return;
    }
    switch (receiving) {
      case HEAD -> {
        if (session.isReceiving() && !headStarted) {
          headStarted = true;
          timer.arm(limits.headTimeout());
        } else if (draining) {
          closeIfIdle();
        }
      }
      case SMALL_BODY, BODY -> timer.arm(limits.bodyTimeout());
      case COMPLETE, DEAF, LINGER, CLOSED -> {}
    }
  }

  @Override
  public void onEnd() {
    ended = true;
    switch (receiving) {
      case HEAD, SMALL_BODY, LINGER -> channel.close();
      case BODY -> onTruncatedBody();
      case COMPLETE -> closeIfIdle();
      case DEAF, CLOSED -> {}
    }
  }

  private void onTruncatedBody() {
    if (turn.isAnswered()) {
      channel.close();
      return;
    }
    try {
      session.endOfInput();
    } catch (ProtocolException e) {
      onViolation(e);
    }
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    boolean inBody = receiving == Receiving.BODY;
    receiving = Receiving.CLOSED;
    timer.cancel();
    held = null;
    smallBody = NO_CONTENT;
    Http1ServerExchange current = exchange;
    if (current != null && inBody) {
      current.fail(
          Status.BAD_REQUEST,
          new ConnectionLostException(
              "the connection was lost in the middle of the request's body", null, cause));
    }
    listener.onClosed(this);
  }

  // Trouble, on the loop.

  private void onViolation(ProtocolException violation) {
    if (receiving != Receiving.BODY) {
      refuse(violation.status());
    } else if (turn.isAnswered()) {
      linger();
    } else {
      receiving = Receiving.DEAF;
      current()
          .fail(
              violation.status(),
              new MalformedMessageException(
                  "the request's body is malformed: " + violation.getMessage(), null, violation));
    }
  }

  /** Answers what no handler has seen, and closes. */
  private void refuse(Status status) {
    receiving = Receiving.DEAF;
    exchange = null;
    writeRefusal(status, 0);
  }

  // The loop never writes: the thread that does lives for one write.
  private void writeRefusal(Status status, int retryAfterSeconds) {
    Thread.ofVirtual().name("heddle-refusal").start(() -> {
      try {
        ResponseWriter.writeRefusal(this, status, retryAfterSeconds);
        channel.loop().execute(this::linger);
      } catch (IOException e) {
        // The peer has gone or does not read: there is nobody left to tell.
        channel.close();
      }
    });
  }

  /**
   * Ends the output and waits for the peer to close, so that it can read the last response: closing
   * with input unread would reset the connection and might destroy it (RFC 9112 §9.6).
   */
  private void linger() {
    if (receiving == Receiving.CLOSED) {
      return;
    }
    receiving = Receiving.LINGER;
    releaseHeld();
    if (ended) {
      channel.close();
      return;
    }
    channel.shutdownOutput();
    timer.arm(limits.lingerTimeout());
    channel.resumeReading();
  }

  private boolean isIdle() {
    return switch (receiving) {
      case HEAD -> !headStarted;
      case COMPLETE -> turn.isAnswered() && held == null;
      case SMALL_BODY, BODY, DEAF, LINGER, CLOSED -> false;
    };
  }

  private void closeIfIdle() {
    if (isIdle()) {
      linger();
    }
  }

  // Time.

  private void onTimer() {
    switch (receiving) {
      case HEAD -> {
        if (headStarted) {
          refuse(Status.REQUEST_TIMEOUT);
        } else {
          linger();
        }
      }
      case SMALL_BODY -> refuse(Status.REQUEST_TIMEOUT);
      case BODY -> onSilentBody();
      case COMPLETE -> closeIfIdle();
      case LINGER -> channel.close();
      case DEAF, CLOSED -> {}
    }
  }

  private void onSilentBody() {
    Http1ServerExchange current = current();
    if (current.isSlowReader()) {
      timer.arm(limits.bodyTimeout()); // the silence is of our own making
    } else if (turn.isAnswered()) {
      linger();
    } else {
      receiving = Receiving.DEAF;
      current.fail(
          Status.REQUEST_TIMEOUT,
          new DeadlineExceededException(
              "nothing of the request's body came for " + limits.bodyTimeout(), null, null));
    }
  }

  // The answering thread gives the connection back.

  /**
   * The response to {@code answeredExchange} is written and its request's body given up.
   *
   * @param persistent whether the connection may carry another request
   */
  void answered(Http1ServerExchange answeredExchange, boolean persistent) {
    boolean received = turn.isReceived();
    if (!persistent || (received && !session.isReusable())) {
      channel.loop().execute(this::linger);
      return;
    }
    if (received) {
      // Before the turn passes: from then on timer and exchange are the loop's again. An idle
      // connection keeps nothing of its last request.
      exchange = null;
      timer.arm(limits.idleTimeout());
    }
    switch (turn.answered()) {
      case RECEIVING -> channel.loop().execute(() -> watchDiscarding(answeredExchange));
      case HELD_INPUT -> channel.loop().execute(this::takeUpHeld);
      case NOTHING -> {
        if (draining || ended) {
          channel.loop().execute(this::closeIfIdle);
        }
      }
    }
  }

  private void watchDiscarding(Http1ServerExchange answeredExchange) {
    if (exchange != answeredExchange) {
      return;
    }
    switch (receiving) {
      case BODY -> timer.arm(limits.bodyTimeout());
      case DEAF -> linger();
      case COMPLETE -> {
        timer.arm(limits.idleTimeout());
        if (draining || ended) {
          closeIfIdle();
        }
      }
      case HEAD, SMALL_BODY, LINGER, CLOSED -> {}
    }
  }

  private void takeUpHeld() {
    if (receiving != Receiving.COMPLETE) {
      return;
    }
    ByteBuffer in = releaseHeld();
    if (beginMessage() && in != null) {
      parse(in);
    }
  }
}
