package heddle.adapters.jdk;

import heddle.websocket.CloseReason;
import heddle.websocket.MessageStream;
import heddle.websocket.MessageStream.Part;
import heddle.websocket.WebSocketProtocolException;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * An open WebSocket of the JDK's API. One thread {@linkplain #run receives} and calls the listener;
 * other methods may be called by any thread. The connection is closed when both sides are, and when
 * the socket fails.
 */
final class JdkWebSocket implements WebSocket {
  /** The connection was lost without a Close frame (RFC 6455 section 7.1.5). */
  private static final int ABNORMAL_CLOSURE = 1006;

  private static final int MOST_REASON_BYTES = 123;

  /** How long a peer that has broken a rule may take to accept the Close frame that says so. */
  private static final int FAREWELL_SECONDS = 10;

  private final URI uri;
  private final MessageStream stream;
  private final Listener listener;
  private final Signals signals;

  /** Closes the connection. Idempotent. */
  private final Runnable disconnect;

  // ---- receiving

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** How many more parts the listener may get. Guarded by the lock. */
  private long demand;

  /** Written under the lock. */
  private volatile boolean inputClosed;

  /** Why the socket has failed; null if it has not. Written under the lock. */
  private volatile @Nullable Throwable failure;

  // ---- sending

  private final SendQueue sends = new SendQueue(this);
  private final AtomicBoolean outputClosed = new AtomicBoolean();

  /** Whether a Close frame was sent, or sending it has failed. */
  private volatile boolean outputEnded;

  /** Whether text or binary data is being sent; a ping or pong. */
  private final AtomicBoolean sendsData = new AtomicBoolean();

  private final AtomicBoolean sendsPing = new AtomicBoolean();

  /** The content of the latest ping that was not answered; null for none. */
  private final AtomicReference<@Nullable ByteBuffer> unanswered = new AtomicReference<>();

  /** {@code disconnect}: closes the connection; idempotent. */
  JdkWebSocket(
      URI uri, MessageStream stream, Listener listener, Signals signals, Runnable disconnect) {
    this.uri = uri;
    this.stream = stream;
    this.listener = listener;
    this.signals = signals;
    this.disconnect = disconnect;
  }

  // ---- receiving

  /** Calls the listener until the input is closed. */
  void run() {
    try {
      signals.run(() -> listener.onOpen(this));
      while (awaitDemand()) {
        receive();
      }
    } catch (WebSocketProtocolException e) {
      refuse(e);
    } catch (IOException e) {
      fail(Failures.of(e));
    } catch (RuntimeException | Error e) {
      fail(e);
    }
    Throwable because = failure;
    if (because != null) {
      signals.run(() -> listener.onError(this, because));
    }
  }

  /** Waits until the listener may get a part; false if the input is closed. */
  private boolean awaitDemand() {
    lock.lock();
    try {
      while (demand == 0 && !inputClosed) {
        changed.awaitUninterruptibly();
      }
      if (inputClosed) {
        return false;
      }
      demand--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void receive() throws IOException {
    Part part;
    try {
      part = stream.receive();
    } catch (EOFException e) {
      part = new Part.Close(new CloseReason(ABNORMAL_CLOSURE, ""));
    }
    if (inputClosed) {
      return;
    }
    switch (part) {
      case Part.Text text -> signals.run(() -> listener.onText(this, text.text(), text.last()));
      case Part.Binary binary ->
        signals.run(() -> listener.onBinary(this, binary.bytes(), binary.last()));
      case Part.Ping ping -> {
        answer(ping.bytes().duplicate());
        signals.run(() -> listener.onPing(this, ping.bytes()));
      }
      case Part.Pong pong -> signals.run(() -> listener.onPong(this, pong.bytes()));
      case Part.Close close -> closed(close.reason());
    }
  }

  /** RFC 6455 section 5.5.3: of several pings, only the latest must be answered. */
  private void answer(ByteBuffer ping) {
    if (outputClosed.get()) {
      return;
    }
    ByteBuffer content = ByteBuffer.allocate(ping.remaining()).put(ping).flip();
    if (unanswered.getAndSet(content) == null) {
      // If that fails, the thread that receives sees that the connection is lost.
      var ignored = sends.add(
          () -> stream.sendPong(Objects.requireNonNull(unanswered.getAndSet(null))), () -> {});
    }
  }

  private void closed(CloseReason reason) {
    if (!closeInput(null)) {
      return;
    }
    int code = reason.code();
    AtomicReference<@Nullable CompletionStage<?>> returned = new AtomicReference<>();
    boolean done = false;
    try {
      signals.run(() -> returned.set(listener.onClose(this, code, reason.reason())));
      done = true;
    } finally {
      if (!done) {
        abort();
      }
    }
    boolean hasCode = code != CloseReason.NO_CODE && code != ABNORMAL_CLOSURE;
    CloseReason reply = new CloseReason(hasCode ? code : NORMAL_CLOSURE, "");
    CompletionStage<?> mayClose = returned.get();
    if (mayClose == null) {
      reply(reply);
    } else {
      var ignored = mayClose.whenComplete((result, thrown) -> reply(reply));
    }
  }

  private void reply(CloseReason reason) {
    if (outputClosed.compareAndSet(false, true)) {
      var ignored = close(reason);
    } else if (outputEnded) {
      disconnect.run();
    }
  }

  /**
   * Closes the input. From any thread.
   *
   * @param because null if the socket has not failed
   * @return whether it was open
   */
  private boolean closeInput(@Nullable Throwable because) {
    lock.lock();
    try {
      if (inputClosed) {
        return false;
      }
      failure = because;
      inputClosed = true;
      changed.signal();
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Closes the connection, and has the listener notified unless the input is closed. */
  void fail(Throwable because) {
    closeInput(because);
    outputClosed.set(true);
    disconnect.run();
  }

  /** Tells the peer which rule it has broken, and fails (RFC 6455 section 7.1.7). */
  private void refuse(WebSocketProtocolException broken) {
    IOException because = new ProtocolException(broken.problem());
    because.initCause(broken);
    if (outputClosed.compareAndSet(false, true)) {
      closeInput(because);
      var ignored = close(new CloseReason(broken.code(), ""))
          .orTimeout(FAREWELL_SECONDS, TimeUnit.SECONDS)
          .whenComplete((sent, thrown) -> disconnect.run());
    } else {
      fail(because);
    }
  }

  @Override
  public void request(long n) {
    if (n <= 0) {
      throw new IllegalArgumentException("n must be positive, but was " + n);
    }
    lock.lock();
    try {
      demand = demand + n < 0 ? Long.MAX_VALUE : demand + n;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  // ---- sending

  @Override
  public CompletableFuture<WebSocket> sendText(CharSequence data, boolean last) {
    Objects.requireNonNull(data, "data");
    return send(sendsData, () -> stream.sendText(data, last));
  }

  @Override
  public CompletableFuture<WebSocket> sendBinary(ByteBuffer data, boolean last) {
    Objects.requireNonNull(data, "data");
    return send(sendsData, () -> stream.sendBinary(data, last));
  }

  @Override
  public CompletableFuture<WebSocket> sendPing(ByteBuffer message) {
    Objects.requireNonNull(message, "message");
    return send(sendsPing, () -> stream.sendPing(message));
  }

  @Override
  public CompletableFuture<WebSocket> sendPong(ByteBuffer message) {
    Objects.requireNonNull(message, "message");
    return send(sendsPing, () -> stream.sendPong(message));
  }

  /** Sends something, unless another send that has set {@code pending} is not over. */
  private CompletableFuture<WebSocket> send(AtomicBoolean pending, SendQueue.Sending sending) {
    if (!pending.compareAndSet(false, true)) {
      return CompletableFuture.failedFuture(
          new IllegalStateException("Send pending: wait for the future of the send before"));
    }
    if (outputClosed.get()) {
      pending.set(false);
      return CompletableFuture.failedFuture(SendQueue.outputClosed());
    }
    return sends.add(sending, () -> pending.set(false));
  }

  @Override
  public CompletableFuture<WebSocket> sendClose(int statusCode, String reason) {
    Objects.requireNonNull(reason, "reason");
    if (!isForClients(statusCode)) {
      return CompletableFuture.failedFuture(new IllegalArgumentException(
          "statusCode must be 1000, 1001, 1008, 1011 or 3000 to 4999, but was " + statusCode));
    }
    if (!isReason(reason)) {
      return CompletableFuture.failedFuture(
          new IllegalArgumentException("reason must be Unicode with at most 123 bytes of UTF-8"));
    }
    if (!outputClosed.compareAndSet(false, true)) {
      return CompletableFuture.failedFuture(SendQueue.outputClosed());
    }
    return close(new CloseReason(statusCode, reason));
  }

  /** Whether the JDK's client sends the code. */
  private static boolean isForClients(int code) {
    return code == CloseReason.NORMAL
        || code == CloseReason.GOING_AWAY
        || code == CloseReason.POLICY_VIOLATION
        || code == CloseReason.INTERNAL_ERROR
        || (code >= 3000 && code <= 4999);
  }

  private static boolean isReason(String text) {
    try {
      CharBuffer chars = CharBuffer.wrap(text);
      return StandardCharsets.UTF_8.newEncoder().encode(chars).remaining() <= MOST_REASON_BYTES;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  /** Called once, by the thread that has closed the output. */
  private CompletableFuture<WebSocket> close(CloseReason reason) {
    return sends.add(() -> stream.sendClose(reason), () -> {
      outputEnded = true;
      if (inputClosed) {
        disconnect.run();
      }
    });
  }

  // ---- state

  @Override
  public String getSubprotocol() {
    return Objects.requireNonNullElse(stream.subprotocol(), "");
  }

  @Override
  public boolean isOutputClosed() {
    return outputClosed.get();
  }

  @Override
  public boolean isInputClosed() {
    return inputClosed;
  }

  @Override
  public void abort() {
    closeInput(null);
    outputClosed.set(true);
    disconnect.run();
  }

  @Override
  public String toString() {
    String subprotocol = getSubprotocol();
    return "WebSocket[uri=" + uri + (subprotocol.isEmpty() ? "" : ", subprotocol=" + subprotocol)
        + "]";
  }
}
