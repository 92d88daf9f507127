package heddle.websocket;

import heddle.http.Response;
import heddle.http.failure.ServerOverloadedException;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Upgraded;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Opens WebSockets for the clients of Heddle's server (RFC 6455; RFC 8441 over HTTP/2). Needs the
 * module {@code heddle-server}. Immutable.
 *
 * <pre>{@code
 * ExchangeHandler echo = WebSocketHandler.of((socket, exchange) -> {
 *   for (Message message : socket) {
 *     if (message instanceof Message.Text text) {
 *       socket.send(text.text());
 *     }
 *   }
 * });
 * HttpServer.builder().exchangeHandler(echo);
 * }</pre>
 *
 * <p>The {@link Endpoint} runs on the handler's thread. When it returns, the socket is closed with
 * {@link CloseReason#NORMAL}, and if it fails, with {@link CloseReason#INTERNAL_ERROR}; that the
 * client has gone or broke a rule, or that memory was short, is no failure. When the server begins
 * to close, the socket is closed with {@link CloseReason#GOING_AWAY}, so that the endpoint receives
 * no more.
 *
 * <p>Requests that open no socket are answered 400, 403, 405 or 426.
 */
public final class WebSocketHandler implements ExchangeHandler {
  private static final Logger LOG = System.getLogger(WebSocketHandler.class.getName());
  private static final CloseReason SERVER_CLOSES = new CloseReason(CloseReason.GOING_AWAY, "");
  private static final CloseReason FAILED = new CloseReason(CloseReason.INTERNAL_ERROR, "");

  private final Endpoint endpoint;
  private final ServerHandshake handshake;
  private final int maxMessageBytes;
  private final @Nullable Duration pingInterval;
  private final Duration closeTimeout;

  private WebSocketHandler(Builder builder, Endpoint endpoint) {
    this.endpoint = Objects.requireNonNull(endpoint, "endpoint");
    handshake = new ServerHandshake(builder.subprotocols, builder.compression, builder.origins);
    maxMessageBytes = builder.maxMessageBytes;
    pingInterval = builder.pingInterval;
    closeTimeout = builder.closeTimeout;
  }

  /** What a server does with its sockets. Called by many threads, so it must be thread-safe. */
  @FunctionalInterface
  public interface Endpoint {
    /**
     * Uses a socket until it ends. {@code exchange} has the request that opened it, with its
     * fields, and what filters have attached.
     *
     * @throws Exception on any failure: it is logged, and the client gets its code alone
     */
    void use(WebSocket socket, Exchange exchange) throws Exception;
  }

  /** A handler with the defaults. */
  public static WebSocketHandler of(Endpoint endpoint) {
    return builder().build(endpoint);
  }

  /** For other settings. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects settings. Not safe for use by several threads. */
  public static final class Builder {
    private List<String> subprotocols = List.of();
    private Compression compression = Compression.OFF;
    private @Nullable Predicate<String> origins;
    private int maxMessageBytes = WebSocket.DEFAULT_MAX_MESSAGE_BYTES;
    private @Nullable Duration pingInterval;
    private Duration closeTimeout = WebSocket.CLOSE_TIMEOUT;

    private Builder() {}

    /**
     * The protocols that the application speaks over the socket, the preferred ones first; none by
     * default. The first that the client offers is {@linkplain WebSocket#subprotocol chosen}, or
     * none.
     *
     * @throws IllegalArgumentException if one is no token (RFC 9110 section 5.6.2) or is repeated
     */
    public Builder subprotocols(String... names) {
      subprotocols = Handshake.requireSubprotocols(List.of(names));
      return this;
    }

    /**
     * Whether messages are compressed if the client offers it; {@link Compression#OFF} by default.
     * Secrets that are compressed together with what an attacker chooses can be guessed from the
     * length.
     */
    public Builder compression(Compression kind) {
      compression = Objects.requireNonNull(kind, "kind");
      return this;
    }

    /**
     * The pages that may open a socket, by the Origin field that browsers send (RFC 6455 section
     * 10.2), such as {@code https://example.com}; others are answered 403. By default those of the
     * host and port that the request names, with the same scheme if the connection uses TLS:
     * otherwise any page that a user visits could open a socket with that user's cookies. Clients
     * that send no Origin, as browsers always do, may connect in any case.
     */
    public Builder origins(Predicate<String> allowed) {
      origins = Objects.requireNonNull(allowed, "allowed");
      return this;
    }

    /**
     * The limit for a message that is received, {@link WebSocket#DEFAULT_MAX_MESSAGE_BYTES} by
     * default. A larger one closes the socket with {@link CloseReason#TOO_LARGE}. Until the
     * endpoint asks for the next message, one of more than 16 KiB counts in the server's memory
     * budget. If that has no room for it, or is half used, the socket is closed with {@link
     * CloseReason#TRY_AGAIN_LATER}.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Builder maxMessageBytes(int bytes) {
      maxMessageBytes = WebSocket.requireLimit(bytes);
      return this;
    }

    /**
     * Sends a ping after each interval; null, the default, for none. If the endpoint waits for a
     * message and nothing at all arrives for two intervals, the socket fails. Without pings a
     * client whose machine has vanished is noticed only when it is sent something.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder pingInterval(@Nullable Duration interval) {
      pingInterval = interval == null ? null : WebSocket.requirePositive("pingInterval", interval);
      return this;
    }

    /**
     * How long {@link WebSocket#close} waits for the client before it closes the connection; 10 s
     * by default.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    public Builder closeTimeout(Duration timeout) {
      closeTimeout = WebSocket.requirePositive("closeTimeout", timeout);
      return this;
    }

    /** A handler that gives its sockets to {@code endpoint}. */
    public WebSocketHandler build(Endpoint endpoint) {
      return new WebSocketHandler(this, endpoint);
    }
  }

  /**
   * Opens a socket for an exchange, or returns the response that refuses it.
   *
   * @throws Exception if the endpoint fails, or the client has gone before the socket was open
   */
  @Override
  public @Nullable Response handle(Exchange exchange) throws Exception {
    ServerHandshake.Outcome outcome =
        handshake.answer(exchange.request(), exchange.version(), exchange.offers("websocket"));
    if (outcome.refusal() != null) {
      return outcome.refusal();
    }
    Upgraded upgraded = exchange.switchProtocols("websocket", outcome.fields());
    WebSocket socket = new WebSocket(
        Role.SERVER,
        new Input(upgraded),
        upgraded.output(),
        outcome.agreement(),
        maxMessageBytes,
        new MessageMemory(upgraded::reserve),
        closeTimeout);
    upgraded.onDrain(() -> socket.close(SERVER_CLOSES));
    if (pingInterval != null) {
      socket.ping(pingInterval);
    }
    try {
      endpoint.use(socket, exchange);
      socket.close();
    } catch (Exception | Error e) {
      if (isFromSocket(e)) {
        LOG.log(Level.DEBUG, () -> "a WebSocket has ended before its endpoint: " + exchange, e);
        socket.close();
      } else {
        socket.close(FAILED);
        throw e;
      }
    }
    return null;
  }

  /** Whether an endpoint failed because its socket has ended. */
  private static boolean isFromSocket(Throwable failure) {
    Throwable cause = failure instanceof UncheckedIOException e ? e.getCause() : failure;
    return cause instanceof WebSocketClosedException
        || cause instanceof WebSocketProtocolException
        || cause instanceof ServerOverloadedException;
  }

  /** What the client sends. Closing it ends both directions. */
  private static final class Input extends FilterInputStream {
    private final Upgraded upgraded;

    Input(Upgraded upgraded) {
      this(upgraded, upgraded.input());
    }

    private Input(Upgraded upgraded, InputStream in) {
      super(in);
      this.upgraded = upgraded;
    }

    @Override
    public void close() throws IOException {
      upgraded.close();
    }
  }
}
