package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import heddle.client.DuplexCall;
import heddle.client.HttpClient;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ServerOverloadedException;
import heddle.http.io.BlockingIterator;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket (RFC 6455): messages go both ways over one connection. Methods block the calling
 * thread, which is meant to be a virtual one.
 *
 * <pre>{@code
 * try (WebSocket socket = WebSocket.open(client, "wss://localhost:8443/chat")) {
 *   socket.send("Hello");
 *   for (Message message : socket) {
 *     if (message instanceof Message.Text text) {
 *       System.out.println(text.text());
 *     }
 *   }
 * }
 * }</pre>
 *
 * <p>A client opens sockets as above, and a handler of Heddle's server gets them from {@link
 * WebSocketHandler}.
 *
 * <p>Any number of threads may send; messages are never interleaved. {@code send} blocks while the
 * peer accepts no data, and fails after {@link heddle.client.settings.Timeouts#silence}, at a
 * server after its write timeout. One thread at a time receives. The socket answers pings and
 * notices Close frames only while a thread receives, so one thread should always receive. While
 * none does, backpressure slows the peer down.
 *
 * <p>Over HTTP/1.1, the default, a client's socket has its connection for itself, which counts as
 * one of its route and of the client ({@link heddle.client.settings.PoolLimits}) until the socket
 * is closed. If the version of the request is HTTP/2, it has one stream of a connection (RFC 8441),
 * which few servers allow. An open socket has no deadline and may be silent, unless it sends
 * {@linkplain Builder#pingInterval pings}.
 *
 * <p>Interrupting a thread that sends or receives closes the socket, since half a frame may have
 * been sent or read.
 */
public final class WebSocket implements Iterable<Message>, AutoCloseable {
  /** The limit for a message, if none is given: 16 MiB. */
  public static final int DEFAULT_MAX_MESSAGE_BYTES = 16 << 20;

  static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
  private static final CloseReason LEAVING = new CloseReason(CloseReason.NORMAL, "");

  private final FrameWriter writer;
  private final MessageReader reader;
  private final @Nullable String subprotocol;
  private final Duration closeTimeout;

  /** What the peer sends; closing it closes the connection. */
  private final InputStream in;

  /** Held by the thread that receives. */
  private final ReentrantLock receiving = new ReentrantLock();

  /** Whether the socket is being ended, or was; and released once its connection is closed. */
  private final AtomicBoolean ending = new AtomicBoolean();

  private final CountDownLatch ended = new CountDownLatch(1);

  /** What the peer has said; null before. */
  private volatile @Nullable CloseReason closeReason;

  /** Why the socket ended without a closing handshake; null if it did not. */
  private final AtomicReference<@Nullable IOException> failure = new AtomicReference<>();

  /**
   * A socket whose handshake is over.
   *
   * @param in closing it closes the connection; it is closed at least once, by any thread
   * @param maxMessageBytes the limit for a message that is received
   * @param memory for such a message
   */
  WebSocket(
      Role role,
      InputStream in,
      OutputStream out,
      Handshake.Agreement agreement,
      int maxMessageBytes,
      MessageMemory memory,
      Duration closeTimeout) {
    Deflation deflation = agreement.deflation();
    MessageDeflater deflater = null;
    MessageInflater inflater = null;
    if (deflation != null) {
      boolean ours = role == Role.CLIENT;
      deflater = new MessageDeflater(
          ours ? deflation.clientKeepsContext() : deflation.serverKeepsContext());
      inflater = new MessageInflater(
          ours ? deflation.serverKeepsContext() : deflation.clientKeepsContext(),
          maxMessageBytes,
          memory);
    }
    this.in = in;
    this.closeTimeout = closeTimeout;
    subprotocol = agreement.subprotocol();
    writer = new FrameWriter(out, role, deflater);
    FrameReader frames = new FrameReader(in, role, deflation != null);
    reader = new MessageReader(frames, maxMessageBytes, inflater, memory);
  }

  /** Sends pings from now on. */
  void ping(Duration interval) {
    new Pings(writer, reader, ended, interval, () -> silent(interval)).start();
  }

  /**
   * Opens a socket with the defaults.
   *
   * @param url its scheme is ws, wss, http or https; or what the client's base URL precedes
   * @throws WebSocketHandshakeException if the server does not open one
   * @throws IOException as {@link HttpClient#send} throws
   */
  public static WebSocket open(HttpClient client, String url) throws IOException {
    return builder(client, url).open();
  }

  /**
   * For other settings.
   *
   * @param url as for {@link #open}
   * @throws MalformedUrlException if it is no URL
   */
  public static Builder builder(HttpClient client, String url) throws MalformedUrlException {
    boolean isWebSocket =
        url.regionMatches(true, 0, "ws:", 0, 3) || url.regionMatches(true, 0, "wss:", 0, 4);
    return builder(
        client, client.request(isWebSocket ? "http" + url.substring(2) : url).build());
  }

  /**
   * For other settings, and requests with fields or a deadline.
   *
   * @param request what opens the socket; its deadline holds until then
   * @throws IllegalArgumentException if it is no GET, or has content
   */
  public static Builder builder(HttpClient client, Request request) {
    return new Builder(client, Handshake.requireOpening(request));
  }

  static int requireLimit(int maxMessageBytes) {
    if (maxMessageBytes < 1) {
      throw new IllegalArgumentException(
          "maxMessageBytes must be at least 1, but was " + maxMessageBytes);
    }
    return maxMessageBytes;
  }

  static Duration requirePositive(String name, Duration time) {
    if (!time.isPositive()) {
      throw new IllegalArgumentException(name + " must be positive, but was " + time);
    }
    return time;
  }

  /** Collects settings. Not safe for use by several threads. */
  public static final class Builder {
    private final HttpClient client;
    private final Request request;
    private List<String> subprotocols = List.of();
    private Compression compression = Compression.OFF;
    private int maxMessageBytes = DEFAULT_MAX_MESSAGE_BYTES;
    private @Nullable Duration pingInterval;
    private Duration closeTimeout = CLOSE_TIMEOUT;

    private Builder(HttpClient client, Request request) {
      this.client = client;
      this.request = request;
    }

    /**
     * The protocols that the application speaks over the socket, the preferred ones first; none by
     * default. The server chooses {@linkplain WebSocket#subprotocol one or none}.
     *
     * @throws IllegalArgumentException if one is no token (RFC 9110 section 5.6.2) or is repeated
     */
    public Builder subprotocols(String... names) {
      subprotocols = Handshake.requireSubprotocols(List.of(names));
      return this;
    }

    /** Whether messages are compressed if the server agrees; {@link Compression#OFF} by default. */
    public Builder compression(Compression kind) {
      compression = Objects.requireNonNull(kind, "kind");
      return this;
    }

    /**
     * The limit for a message that is received, {@link #DEFAULT_MAX_MESSAGE_BYTES} by default. A
     * larger one closes the socket with {@link CloseReason#TOO_LARGE}. Memory is allocated for what
     * has arrived, not for what a frame announces.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxMessageBytes(int bytes) {
      maxMessageBytes = requireLimit(bytes);
      return this;
    }

    /**
     * Sends a ping after each interval; null, the default, for none. If a thread waits for a
     * message and nothing at all arrives for two intervals, the socket fails. Also keeps proxies
     * from closing a connection without traffic.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder pingInterval(@Nullable Duration interval) {
      pingInterval = interval == null ? null : requirePositive("pingInterval", interval);
      return this;
    }

    /**
     * How long {@link WebSocket#close} waits for the peer before it closes the connection; 10 s by
     * default.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder closeTimeout(Duration timeout) {
      closeTimeout = requirePositive("closeTimeout", timeout);
      return this;
    }

    /**
     * Opens the socket.
     *
     * @throws WebSocketHandshakeException if the server does not open one
     * @throws IOException as {@link HttpClient#send} throws
     */
    public WebSocket open() throws IOException {
      Handshake handshake = new Handshake(subprotocols, compression);
      DuplexCall call = client.open(handshake.request(request));
      boolean opened = false;
      try {
        Response response = call.response();
        Handshake.Agreement agreement = handshake.check(response);
        InputStream in = response.body().stream();
        // The socket keeps neither the call nor the fields of its handshake.
        WebSocket socket = new WebSocket(
            Role.CLIENT,
            in,
            call.output(),
            agreement,
            maxMessageBytes,
            new MessageMemory(MessageMemory.Account.NONE),
            closeTimeout);
        if (pingInterval != null) {
          socket.ping(pingInterval);
        }
        opened = true;
        return socket;
      } finally {
        if (!opened) {
          call.cancel();
        }
      }
    }
  }

  /** The protocol that the server has chosen for the application; null for none. */
  public @Nullable String subprotocol() {
    return subprotocol;
  }

  /** What the peer has said as it closed the socket; null before, or if it did not say. */
  public @Nullable CloseReason closeReason() {
    return closeReason;
  }

  /** Whether neither side has ended the socket, as far as is known. */
  public boolean isOpen() {
    return !ending.get() && !writer.isClosed();
  }

  // ---- sending

  /**
   * Sends a text message. Surrogates without a partner are replaced by question marks.
   *
   * @throws WebSocketClosedException if the socket is closed, or its connection is lost
   * @throws InterruptedIOException when the thread is interrupted, which closes the socket; its
   *     flag is set again
   */
  public void send(String text) throws IOException {
    send(Opcode.TEXT, text.getBytes(UTF_8));
  }

  /**
   * Sends a binary message, which must not change meanwhile. Throws as {@link #send(String)} does.
   */
  public void send(byte[] data) throws IOException {
    send(Opcode.BINARY, data);
  }

  private void send(Opcode opcode, byte[] content) throws IOException {
    boolean sent;
    try {
      sent = writer.message(opcode, content);
    } catch (IOException e) {
      throw lost(e);
    }
    if (!sent) {
      throw closed();
    }
  }

  // ---- receiving

  /**
   * Waits for the next message.
   *
   * @return null if the socket was closed by either side
   * @throws WebSocketProtocolException if the peer breaks a rule or sends too large a message,
   *     which closes the socket
   * @throws ServerOverloadedException at a server, if its memory budget has no room for the
   *     message, which closes the socket
   * @throws WebSocketClosedException if the connection is lost
   * @throws InterruptedIOException when the thread is interrupted, which closes the socket; its
   *     flag is set again
   */
  public @Nullable Message receive() throws IOException {
    receiving.lock();
    try {
      if (ending.get()) {
        return endedBefore();
      }
      Message message = reader.next(this::control);
      if (message == null) {
        end(null);
      }
      return message;
    } catch (WebSocketProtocolException e) {
      sayGoodbye(new CloseReason(e.code(), ""));
      end(e);
      throw e;
    } catch (ServerOverloadedException e) {
      sayGoodbye(new CloseReason(CloseReason.TRY_AGAIN_LATER, ""));
      end(e);
      throw e;
    } catch (IOException e) {
      boolean leaves = writer.isClosed() && failure.get() == null;
      if (leaves && !(e instanceof InterruptedIOException)) {
        end(null); // This side has closed the socket, and does not depend on the peer's answer.
        return null;
      }
      throw lost(e);
    } finally {
      receiving.unlock();
    }
  }

  private @Nullable Message endedBefore() throws WebSocketClosedException {
    if (failure.get() != null) {
      throw closed();
    }
    return null;
  }

  /** Takes a control frame; false for a Close frame, after which nothing follows. */
  private boolean control(Opcode opcode, byte[] payload) throws IOException {
    switch (opcode) {
      case PING -> writer.control(Opcode.PONG, payload);
      case CLOSE -> {
        CloseReason reason = CloseReason.of(payload);
        closeReason = reason;
        // RFC 6455 section 5.5.1: the code that was received is sent back.
        sayGoodbye(reason);
        return false;
      }
      default -> {} // A pong shows that the peer is there, as each frame does.
    }
    return true;
  }

  /** The messages, until the socket is closed; throws {@link UncheckedIOException}. */
  @Override
  public Iterator<Message> iterator() {
    return new BlockingIterator<>(this::receive);
  }

  // ---- the end

  /** {@linkplain #close(int, String) Closes} the socket with {@link CloseReason#NORMAL}. */
  @Override
  public void close() {
    close(LEAVING);
  }

  /**
   * Sends a Close frame, waits for that of the peer, for the close timeout at most, and closes the
   * connection. Messages that arrive meanwhile go to the thread that receives, or are dropped if
   * none does. From any thread; does nothing if the socket has ended. If the connection is lost
   * meanwhile, that ends the socket too. An interrupt ends the wait.
   *
   * @param code 1000 to 1003, 1007 to 1014, or 3000 to 4999, which applications may define
   * @param reason at most 123 bytes of UTF-8
   * @throws IllegalArgumentException if the code may not be sent or the reason is too long
   */
  public void close(int code, String reason) {
    close(new CloseReason(code, reason).requireSendable());
  }

  void close(CloseReason ours) {
    if (ended.getCount() == 0) {
      return;
    }
    Thread.ofVirtual().name("heddle-websocket-close").start(this::abortLate);
    sayGoodbye(ours);
    // If a thread receives, it sees the Close frame of the peer, and otherwise this one does.
    if (receiving.tryLock()) {
      try {
        drain();
      } finally {
        receiving.unlock();
      }
    }
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(null);
    }
  }

  private void abortLate() {
    try {
      if (!ended.await(NANOSECONDS.convert(closeTimeout), NANOSECONDS)) {
        end(null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // The thread is this class's own: no one interrupts it.
    }
  }

  private void drain() {
    try {
      while (receive() != null) {
        // A message that no one receives.
      }
    } catch (IOException e) {
      // It has ended the socket, as closing it does.
    }
  }

  private void sayGoodbye(CloseReason reason) {
    byte[] payload = reason.code() == CloseReason.NO_CODE ? new byte[0] : reason.payload();
    try {
      writer.control(Opcode.CLOSE, payload);
    } catch (IOException e) {
      end(null); // The peer is gone.
    }
  }

  private void silent(Duration interval) {
    end(new IOException("the peer has sent nothing for two ping intervals of " + interval));
  }

  private IOException lost(IOException cause) {
    end(cause);
    return cause instanceof InterruptedIOException ? cause : closed();
  }

  private WebSocketClosedException closed() {
    IOException cause = failure.get();
    CloseReason reason = closeReason;
    String message;
    if (reason != null) {
      message = "the WebSocket was closed by the peer: " + reason;
    } else if (cause != null) {
      message = "the connection of the WebSocket was lost: " + cause.getMessage();
    } else {
      message = "the WebSocket is closed";
    }
    return new WebSocketClosedException(message, reason, cause);
  }

  /** Closes the connection and frees memory; {@code because} is null for an orderly end. */
  private void end(@Nullable IOException because) {
    if (because != null && !ending.get()) {
      failure.compareAndSet(null, because);
    }
    if (ending.compareAndSet(false, true)) {
      closeConnection();
      writer.close();
      ended.countDown();
    }
    // If another thread receives, it is about to come here.
    if (receiving.tryLock()) {
      try {
        reader.close();
      } finally {
        receiving.unlock();
      }
    }
  }

  private void closeConnection() {
    try {
      in.close();
    } catch (IOException e) {
      // The connection is closed in any case, and no one reads the rest.
    }
  }
}
