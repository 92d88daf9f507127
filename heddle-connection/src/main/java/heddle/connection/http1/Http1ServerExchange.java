package heddle.connection.http1;

import heddle.codec.Event;
import heddle.connection.CompleteBody;
import heddle.connection.InboundBody;
import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import heddle.transport.Channel;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One request and its answer. The loop fills in what is received; one other thread, the answering
 * one, {@linkplain #enter enters}, asks for the {@link #request}, {@linkplain #respond responds}
 * and {@linkplain #leave leaves}.
 */
public final class Http1ServerExchange {
  /** Above this many bytes that the handler has not read, no more are read from the channel. */
  private static final int MAX_UNREAD_BYTES = 64 * 1024;

  private static final VarHandle RUNNER;

  static {
    try {
      RUNNER =
          MethodHandles.lookup().findVarHandle(Http1ServerExchange.class, "runner", Object.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Values of {@link #runner} beside a thread: it is being, or has to be, interrupted. */
  private static final Object INTERRUPTING = new Object();

  private static final Object ABORTED = new Object();

  private final Http1ServerConnection connection;
  private final Event.RequestHead head;
  private final long declaredLength;
  private final @Nullable ContinueGate gate;

  // Set on the loop before the exchange is announced.
  private @Nullable InboundBody arriving;
  private Body body = Body.empty();
  private Trailers trailers = Trailers.none();

  /** Written by the loop alone. */
  private volatile long receivedBytes;

  /** Set once by the loop: what is wrong with the rest of the request. */
  private volatile @Nullable Fault fault;

  /** The answering thread, while it may be interrupted; null before and after. */
  private volatile @Nullable Object runner;

  // The answering thread's own.
  private boolean committed;
  private boolean finished;
  private @Nullable Runnable onEnding;

  private record Fault(Status status, IOException failure) {}

  Http1ServerExchange(
      Http1ServerConnection connection, Event.RequestHead head, long declaredLength) {
    this.connection = connection;
    this.head = head;
    this.declaredLength = declaredLength;
    this.gate = head.expectContinue()
        ? new ContinueGate(connection.channel(), connection.session(), connection.limits())
        : null;
  }

  // On the loop.

  /** The content comes piece by piece, and the request is announced before. */
  void receiveInPieces() {
    Channel channel = connection.channel();
    InboundBody inbound = new InboundBody(
        new RequestSource(channel, gate),
        channel.loop(),
        MAX_UNREAD_BYTES,
        declaredLength,
        head.headers());
    arriving = inbound;
    body = inbound;
    trailers = Trailers.of(inbound::trailers);
  }

  void receivedWhole(byte[] content, Headers end) {
    if (content.length > 0) {
      body = new CompleteBody(content, head.headers());
    }
    if (!end.isEmpty()) {
      trailers = Trailers.of(end);
    }
  }

  /** Takes a piece of the body; false when that makes it too long. */
  boolean received(ByteBuffer bytes) {
    long all = receivedBytes + bytes.remaining();
    receivedBytes = all;
    if (all > connection.limits().maxBodyBytes()) {
      return false;
    }
    if (gate != null) {
      gate.notNeeded();
    }
    inbound().append(bytes);
    return true;
  }

  void receivedEnd(Headers end) {
    inbound().end(end);
  }

  private InboundBody inbound() {
    InboundBody inbound = arriving;
    if (inbound == null) {
      throw new IllegalStateException("content of a request that has none");
    }
    return inbound;
  }

  /** The rest of the request will not come; the reader of its body gets the failure. */
  void fail(Status status, IOException failure) {
    fault = new Fault(status, failure);
    inbound().fail(failure);
  }

  boolean isSlowReader() {
    return inbound().isPaused();
  }

  /**
   * Interrupts the answering thread: at once, or when it enters. From any thread, more than once.
   */
  void interrupt() {
    Object thread = runner;
    if (thread == null) {
      RUNNER.compareAndSet(this, null, ABORTED);
    } else if (thread instanceof Thread t && RUNNER.compareAndSet(this, thread, INTERRUPTING)) {
      t.interrupt();
      runner = ABORTED;
    }
  }

  // On the answering thread.

  /** Whether the calling thread is the loop, which must not answer. */
  public boolean isOnLoop() {
    return connection.channel().loop().inLoop();
  }

  /**
   * The calling thread begins to answer: from now until {@link #leave} it is interrupted when the
   * connection is {@linkplain Http1ServerConnection#abort aborted}.
   *
   * @param ending run once, on the same thread: just before the last of the response is written, so
   *     that a peer which has its answer is counted no more, or at {@link #leave} if nothing is
   * @return false when that has happened already: there is nobody left to answer
   */
  public boolean enter(Runnable ending) {
    onEnding = ending;
    return RUNNER.compareAndSet(this, null, Thread.currentThread());
  }

  /** The calling thread is done; it keeps no interrupt that was meant for this exchange. */
  public void leave() {
    ending();
    if (!RUNNER.compareAndSet(this, Thread.currentThread(), null)) {
      while (runner == INTERRUPTING) {
        Thread.onSpinWait();
      }
      Thread.interrupted();
    }
  }

  public Method method() {
    return head.method();
  }

  /** The request-target as it was received. */
  public String target() {
    return head.target();
  }

  /**
   * The request.
   *
   * @throws IllegalArgumentException when its target or Host is none: to be answered 400
   */
  public Request request() {
    return connection.hosts().request(head, body, trailers);
  }

  /**
   * The status that a failure of the handler deserves if it is the peer's fault, because the
   * request could not be received; null when it is not.
   */
  public @Nullable Status statusOfFault(Throwable failure) {
    Fault known = fault;
    if (known == null) {
      return null;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (known.failure().equals(cause)) {
        return known.status();
      }
    }
    return null;
  }

  /** Whether a final response has begun, so that no other can take its place. */
  public boolean isCommitted() {
    return committed;
  }

  /**
   * Sends the response, closes its body, and gives the connection back. Returns when the last byte
   * is written. When the peer has gone or does not read, the connection is cut and nothing thrown:
   * there is nobody left to tell.
   *
   * @throws ResponseFailedException when the response cannot be sent through a fault of its own
   * @throws IllegalStateException when it has been answered already
   */
  public void respond(Response response) throws ResponseFailedException {
    if (finished || committed) {
      throw new IllegalStateException(this + " is answered already");
    }
    boolean whole = false;
    try {
      new ResponseWriter(connection, this, response).write();
      whole = true;
    } catch (IOException e) {
      // The write timeout, a reset, an interrupt: the channel can carry nothing any more.
      committed = true;
    } finally {
      closeQuietly(response);
      if (whole) {
        finish();
      } else if (committed) {
        abandon();
      }
    }
  }

  // The body's own resources: that they cannot be closed does not concern the peer, and whoever
  // made the body has no caller here to be told.
  private static void closeQuietly(Response response) {
    try {
      response.close();
    } catch (IOException | RuntimeException e) {
      System.getLogger(Http1ServerExchange.class.getName())
          .log(System.Logger.Level.WARNING, "closing a response's body failed", e);
    }
  }

  private void finish() {
    finished = true;
    boolean persistent = fault == null && !(gate != null && gate.wasNeverOpened());
    if (arriving != null) {
      arriving.close();
    }
    connection.answered(this, persistent && !isUnreadRestLong());
  }

  /** Cuts the connection: nothing more can be said on it. */
  public void abandon() {
    finished = true;
    connection.channel().close();
  }

  /** Whether the connection is gone, so that no answer can reach the peer. */
  public boolean isCut() {
    return !connection.channel().isOpen();
  }

  /** Turns the request away on a thread of its own; for the loop, which does not write. */
  public void refuse(Response response) {
    Thread.ofVirtual().name("heddle-refusal").start(() -> {
      try {
        respond(response);
      } catch (ResponseFailedException e) {
        abandon();
      }
    });
  }

  /** The last of the response is about to be written. */
  void ending() {
    Runnable task = onEnding;
    onEnding = null;
    if (task != null) {
      task.run();
    }
  }

  void commit() {
    committed = true;
  }

  boolean hasFault() {
    return fault != null;
  }

  boolean owesContinue() {
    return gate != null && gate.isOwed();
  }

  /**
   * Before the final response: no 100 from now on. Whether none was sent though it was asked for.
   */
  boolean shutContinue() throws IOException {
    return gate != null && gate.shut();
  }

  /** Whether so much of the body is still to come that reading it only to reuse does not pay. */
  boolean isUnreadRestLong() {
    return declaredLength - receivedBytes > connection.limits().maxDiscardBytes()
        && arriving != null;
  }

  @Override
  public String toString() {
    return head.method() + " " + head.target();
  }
}
