package heddle.connection.http1;

import heddle.codec.Event;
import heddle.codec.ProtocolException;
import heddle.connection.ConnectionMemory;
import heddle.connection.Failures;
import heddle.connection.MemoryBudget;
import heddle.connection.RecentOrigins;
import heddle.connection.RequestListener;
import heddle.connection.Responding;
import heddle.connection.ServerDriver;
import heddle.connection.ServerLimits;
import heddle.connection.TimedWriter;
import heddle.connection.http1.RequestReceiver.State;
import heddle.http.Status;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.MalformedMessageException;
import heddle.http.io.FileInput;
import heddle.transport.Channel;
import heddle.transport.PeerLog;
import heddle.transport.SafeLog;
import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A server's side of one HTTP/1.1 connection, from its start to its end: its {@link
 * RequestReceiver} makes requests of the channel's input; this class keeps the time, refuses what
 * cannot be served, and goes on when a request is answered. One request is answered at a time (RFC
 * 9112 §9.3.2): input behind it is held.
 *
 * <p>Threads: only the loop receives. The thread that answers a request has the session's sending
 * half from {@link RequestListener#onRequest} until it calls {@link #answered}. The two threads
 * share only the marks of how far each is. Usually the loop goes on when the next request comes,
 * and no thread has to be woken for it.
 */
public final class Http1ServerConnection implements ServerDriver {
  private static final PeerLog PEERS = PeerLog.of(Http1ServerConnection.class);
  private static final System.Logger LOG = System.getLogger(Http1ServerConnection.class.getName());

  /** Receives the requests and the end of the connection, and knows what it does not keep. */
  public interface Owner extends RequestListener {
    /** The number of the connection. */
    long id();

    /** What the connection reads and writes. */
    Channel channel();

    /** What the connection has in common with others. */
    Http1Resources resources();

    /**
     * What begins another protocol with this request, which has no content and behind which nothing
     * has arrived; null if the request does not ask for it. On the loop.
     */
    @Nullable
    Runnable successor(Event.RequestHead head);
  }

  /** When a client that was refused for lack of memory may try again. */
  private static final int RETRY_AFTER_SECONDS = 1;

  private static final AtomicReferenceFieldUpdater<Http1ServerConnection, ConnectionMemory> MEMORY =
      AtomicReferenceFieldUpdater.newUpdater(
          Http1ServerConnection.class, ConnectionMemory.class, "memory");
  private static final AtomicIntegerFieldUpdater<Http1ServerConnection> MARKS =
      AtomicIntegerFieldUpdater.newUpdater(Http1ServerConnection.class, "marks");

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  // The marks.
  private static final int RECEIVED = 1;
  private static final int ANSWERED = 2;
  private static final int HOLDING = 4;

  final Owner listener;
  final Timer timer;
  private final RequestReceiver receiver;

  // Used by the answering thread only.
  RecentOrigins.@Nullable Named lastOrigin;
  private @Nullable TimedWriter writer;

  /** Null until something is held for the connection. */
  private volatile @Nullable ConnectionMemory memory;

  /** How far the loop and the answering thread are with the present request. */
  private volatile int marks;

  /** No further request is taken: the connection is closed as soon as it is idle. */
  volatile boolean draining;

  /** The peer has sent its FIN: what was received is answered, then the channel is closed. */
  volatile boolean ended;

  /** The channel is closed: the memory held is released when the last request's thread is done. */
  private volatile boolean closed;

  /** Of a channel that the owner starts, if it has not done so. */
  public Http1ServerConnection(Owner owner) {
    this.listener = owner;
    owner.channel().writeProgress().restart();
    this.receiver = new RequestReceiver(this);
    this.timer = owner.channel().loop().newTimer(receiver);
  }

  Channel channel() {
    return listener.channel();
  }

  Http1Resources resources() {
    return listener.resources();
  }

  @Override
  public long id() {
    return listener.id();
  }

  @Override
  public void start() {
    arm(limits().headTimeout());
  }

  @Override
  public void startRefusing(Status status, int retryAfterSeconds) {
    receiver.reportRefused(status, NOTHING);
    answerLast(status, retryAfterSeconds);
  }

  private void answerLast(Status status, int retryAfterSeconds) {
    receiver.deafen();
    receiver.release();
    // The loop never writes: a new thread does this one write.
    try {
      Thread.ofVirtual()
          .name("heddle-refusal")
          .start(() -> writeRefusal(status, retryAfterSeconds));
    } catch (RuntimeException | Error e) {
      // No timer watches a connection that ignores its input.
      channel().close();
      SafeLog.log(LOG, Level.ERROR, "No thread can be started to refuse ", this, e);
    }
  }

  private void writeRefusal(Status status, int retryAfterSeconds) {
    try {
      ResponseWriter.writeRefusal(this, status, retryAfterSeconds);
      channel().loop().execute(this::linger);
    } catch (IOException e) {
      // The peer has gone or does not read.
      channel().close();
    } catch (RuntimeException | Error e) {
      channel().close();
      SafeLog.log(LOG, Level.ERROR, "Refusing failed of ", this, e);
    }
  }

  @Override
  public void drain() {
    draining = true;
    channel().loop().execute(() -> {
      receiver.drain();
      closeIfIdle();
    });
  }

  @Override
  public long idleUntil() {
    return receiver.isBetweenRequests() ? timer.dueNanos() : Deadline.NEVER_NANOS;
  }

  @Override
  public void closeIfUnused() {
    channel().loop().execute(() -> {
      if (receiver.isBetweenRequests()) {
        channel().close();
      }
    });
  }

  @Override
  public void abort() {
    channel().close();
    // A thread that is just returning the connection ends without an interrupt.
    channel().loop().execute(() -> {
      Http1ServerExchange current = receiver.exchange();
      if (current != null) {
        current.interrupt();
      }
    });
  }

  ServerLimits limits() {
    return resources().limits();
  }

  /** What is held for this connection. From any thread. */
  @SuppressWarnings("NullAway") // The updater's type does not say that the field may be null.
  ConnectionMemory memory() {
    ConnectionMemory known = memory;
    if (known != null) {
      return known;
    }
    ConnectionMemory made = new ConnectionMemory(resources().budget(), channel());
    return MEMORY.compareAndSet(this, null, made) ? made : memory();
  }

  /** Whether new work must be refused. */
  boolean isMemoryExhausted() {
    return resources().budget().isExhausted();
  }

  /** By when the peer must have accepted what is written now. */
  Deadline writeDeadline() {
    return Deadline.after(limits().writeTimeout(), channel().loop().clock());
  }

  // Receiving, on the loop.

  @Override
  public long contentAhead() {
    return receiver.contentAhead();
  }

  @Override
  public int readLimit() {
    return resources().budget().readLimit();
  }

  @Override
  public void onBytes(ByteBuffer bytes) {
    receiver.receive(bytes);
    State state = receiver.state();
    if (state != State.LINGER && state != State.CLOSED) {
      ConnectionMemory held = memory;
      if (held != null) {
        held.afterRead();
      }
    }
  }

  /** Whether another protocol takes the connection over, beginning with this request. */
  boolean passesOn(Http1ServerExchange current) {
    Runnable beginning = draining || ended ? null : listener.successor(current.head());
    if (beginning == null) {
      return false;
    }
    receiver.closed();
    timer.cancel();
    memory().end();
    beginning.run();
    return true;
  }

  @Override
  public void onEnd() {
    ended = true;
    switch (receiver.state()) {
      case FIRST, IDLE, HEAD, SMALL_BODY, LINGER -> channel().close();
      case BODY -> onTruncatedBody();
      case COMPLETE -> closeIfIdle();
      case UPGRADED -> receiver.upgradedEnded();
      case DEAF, CLOSED -> {}
    }
  }

  private void onTruncatedBody() {
    if (isAnswered()) {
      channel().close();
      return;
    }
    try {
      receiver.endOfInput();
    } catch (ProtocolException e) {
      onViolation(e, NOTHING);
    }
  }

  @Override
  public void onClosed(@Nullable IOException cause) {
    State state = receiver.state();
    boolean announced = state.isAnnounced();
    Http1ServerExchange current = receiver.exchange();
    try {
      receiver.closed();
      if (current != null && announced && !current.isUpgradedOver()) {
        current.interrupt(); // no answer can reach the client
      }
      if (state == State.UPGRADED) {
        receiver.upgradedLost(cause);
      }
      if (current != null && state == State.BODY) {
        current.fail(
            Status.BAD_REQUEST,
            new ConnectionLostException(
                "the connection was lost in the middle of the request's body",
                Progress.CONTENT,
                cause == null ? Side.SELF : Side.UNKNOWN,
                null,
                cause));
      }
      timer.cancel();
    } finally {
      closed = true;
      try {
        if (current == null || !announced || current.last().answering.hasLeft()) {
          memory().end();
        }
      } finally {
        listener.onClosed(this);
      }
    }
  }

  /** The thread of the last request received is done: none of its input is kept. */
  void onLeft() {
    if (closed) {
      memory().end();
    }
  }

  // Trouble, on the loop.

  /**
   * The peer broke the protocol.
   *
   * @param in what the session has not taken
   */
  void onViolation(ProtocolException violation, ByteBuffer in) {
    // The message may contain a target, whose query must not be logged.
    PEERS.log(
        () -> "the client breaks HTTP/1.1: " + violation.violation() + " on " + channel(), null);
    listener.onFault();
    if (violation.violation() == ProtocolException.Violation.OTHER_PROTOCOL) {
      receiver.reportRefused(null, in);
      receiver.deafen();
      receiver.release();
      linger();
    } else if (receiver.state() != State.BODY) {
      refuse(violation.status(), in);
    } else if (isAnswered()) {
      linger();
    } else {
      receiver.failBody(
          violation.status(),
          new MalformedMessageException(
              Failures.kind(violation.violation()),
              "the request's body is malformed: " + violation.getMessage(),
              null,
              violation));
    }
  }

  /** Answers the request that is being received, which no handler has seen, and closes. */
  void refuse(Status status) {
    refuse(status, NOTHING);
  }

  private void refuse(Status status, ByteBuffer in) {
    receiver.reportRefused(status, in);
    answerLast(status, retryAfterSeconds(status));
  }

  /** Answers a request of which only the head was received, and closes. */
  void refuse(Event.RequestHead head, Status status) {
    reportRefused(head, status);
    answerLast(status, retryAfterSeconds(status));
  }

  private static int retryAfterSeconds(Status status) {
    return status.equals(Status.SERVICE_UNAVAILABLE) ? RETRY_AFTER_SECONDS : 0;
  }

  /** Reports a request that is refused. */
  void reportRefused(Event.RequestHead head, @Nullable Status status) {
    String line = Responding.requestLine(head.method(), head.target(), head.version());
    listener.onRefused(channel(), line, head.headers(), status);
  }

  /**
   * Ends the output and waits for the peer to close, so that it can read the last response: closing
   * with input unread would reset the connection and might destroy it (RFC 9112 §9.6).
   */
  void linger() {
    if (receiver.state() == State.CLOSED) {
      return;
    }
    receiver.linger();
    if (ended) {
      channel().close();
      return;
    }
    channel().shutdownOutput();
    arm(limits().lingerTimeout());
    ConnectionMemory held = memory;
    if (held != null) {
      held.readFreely();
    }
  }

  void closeIfIdle() {
    if (receiver.isIdle()) {
      linger();
    }
  }

  // Time.

  /** One thread at a time arms the timer. */
  void arm(Duration fromNow) {
    timer.arm(channel().loop().clock().nanoTime() + Deadline.boundedNanos(fromNow));
  }

  void onTimer() {
    if (timer.dueNanos() != Deadline.NEVER_NANOS) {
      return; // It was armed again while it fired.
    }
    switch (receiver.state()) {
      case FIRST, IDLE -> linger();
      case HEAD -> {
        listener.onFault();
        refuse(Status.REQUEST_TIMEOUT);
      }
      case SMALL_BODY -> {
        if (receiver.checkBody() != null) {
          listener.onFault();
          refuse(Status.REQUEST_TIMEOUT);
        }
      }
      case BODY -> onSlowBody();
      case COMPLETE -> closeIfIdle();
      case LINGER -> channel().close();
      case UPGRADED, DEAF, CLOSED -> {}
    }
  }

  private void onSlowBody() {
    String fault = receiver.checkBody();
    if (fault == null) {
      return;
    }
    if (isAnswered()) {
      linger();
    } else {
      listener.onFault();
      receiver.failBody(Status.REQUEST_TIMEOUT, new DeadlineExceededException(fault, null, null));
    }
  }

  // How far a request is: all that the loop, which receives it, and the thread that answers it
  // share. Each sets its mark when it is done with the message; the one that finds the other's
  // mark set, so exactly one of them, goes on to the next message.

  /** The loop: the request is received. */
  void markReceived() {
    mark(RECEIVED);
  }

  /** The loop: input is held. Returns whether the answering thread was done and did not see it. */
  boolean markHolding() {
    return (mark(HOLDING) & ANSWERED) != 0;
  }

  private int mark(int bit) {
    return MARKS.getAndAccumulate(this, bit, (all, more) -> all | more);
  }

  boolean isReceived() {
    return (marks & RECEIVED) != 0;
  }

  boolean isAnswered() {
    return (marks & ANSWERED) != 0;
  }

  /** The loop, when both are done: a new message. */
  void clearMarks() {
    marks = 0;
  }

  // The answering thread gives the connection back.

  /**
   * The response is written, and its request's body is not read any more.
   *
   * @param persistent whether the connection may carry another request
   */
  void answered(Http1ServerExchange answeredExchange, boolean persistent) {
    boolean received = isReceived();
    if (!persistent || (received && !answeredExchange.session.isReusable())) {
      channel().loop().execute(this::linger);
      return;
    }
    if (answeredExchange.handOn()) {
      return;
    }
    if (received) {
      // Before the mark, which gives the timer and the exchange back to the loop. An idle
      // connection keeps nothing of its last request.
      receiver.release();
      if (writer != null && !writer.hasWaited()) {
        writer = null;
      }
      arm(limits().idleTimeout());
    }
    int before = mark(ANSWERED);
    if ((before & RECEIVED) == 0) {
      channel()
          .loop()
          .execute(() -> watchDiscarding(answeredExchange)); // The rest is still to come.
    } else if ((before & HOLDING) != 0) {
      channel().loop().execute(receiver::takeUpHeld);
    } else if (draining || ended) {
      channel().loop().execute(this::closeIfIdle);
    }
    // Else the loop needs no wake-up: it goes on when the next request arrives.
  }

  private void watchDiscarding(Http1ServerExchange answeredExchange) {
    if (receiver.exchange() != answeredExchange) {
      return;
    }
    switch (receiver.state()) {
      case BODY -> receiver.awaitBody(channel().loop().clock().nanoTime());
      case DEAF -> linger();
      case COMPLETE -> {
        arm(limits().idleTimeout());
        if (draining || ended) {
          closeIfIdle();
        }
      }
      case FIRST, IDLE, HEAD, SMALL_BODY, UPGRADED, LINGER, CLOSED -> {}
    }
  }

  // Output that the peer does not read waits here, with this thread: a piece of a stream, which is
  // part of MemoryBudget.REQUEST_BYTES, or the handler's memory. Only ciphertext is extra.
  void write(ByteBuffer... output) throws IOException {
    write(writer(), output);
  }

  /** Has the operating system send a file. */
  void write(FileInput file) throws IOException {
    writer().write(file);
  }

  private TimedWriter writer() {
    TimedWriter present = writer;
    if (present == null) {
      present = new TimedWriter(channel(), limits().writeTimeout(), limits().minRate());
      writer = present;
    }
    return present;
  }

  void write(TimedWriter to, ByteBuffer... output) throws IOException {
    int encrypted = MemoryBudget.bytesToEncrypt(channel(), output);
    if (encrypted == 0) {
      to.write(output);
      return;
    }
    memory().hold(encrypted);
    try {
      to.write(output);
    } finally {
      memory().release(encrypted);
    }
  }

  /**
   * The connection has switched to another protocol: the thread that answers this exchange goes on
   * in it, and the loop passes on what the peer sends, beginning with the input that is held.
   */
  void switched(Http1Upgraded upgraded) {
    channel().loop().execute(() -> receiver.upgrade(upgraded));
  }
}
