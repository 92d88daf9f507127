package heddle.adapters.jdk;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.InetAddress;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's {@link HttpClient} over Heddle: its requests, body handlers, futures and exceptions,
 * with Heddle's connections beneath. Safe for use by many threads; made once and kept.
 *
 * <pre>{@code
 * HttpClient client = HeddleHttpClient.newBuilder().followRedirects(Redirect.NORMAL).build();
 * HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>{@link #send} makes the call on the calling thread, which should be a virtual one; {@link
 * #sendAsync} on a virtual thread of its own. What differs from the JDK's own client is listed in
 * {@code docs/adapters.md}.
 */
public final class HeddleHttpClient extends HttpClient {
  private final Settings settings;
  private final Shared shared;
  private final StockClient stock;

  private HeddleHttpClient(Settings settings) {
    this.settings = settings;
    this.shared = new Shared(settings);
    this.stock = new StockClient(settings);
  }

  /** A client with the JDK's defaults. */
  public static HeddleHttpClient newHttpClient() {
    return newBuilder().build();
  }

  /** A builder with the JDK's defaults. */
  public static Builder newBuilder() {
    return new Builder();
  }

  /**
   * What a client is made with: the JDK's own options. One that cannot be honoured is refused, by
   * name and with the reason. Not safe for use by several threads.
   */
  public static final class Builder implements HttpClient.Builder {
    private @Nullable CookieHandler cookies;
    private @Nullable Duration connectTimeout;
    private @Nullable SSLContext context;
    private @Nullable SSLParameters parameters;
    private @Nullable Executor executor;
    private Redirect redirects = Redirect.NEVER;
    private Version version = Version.HTTP_2;
    private int priority;
    private @Nullable ProxySelector proxy;
    private @Nullable Authenticator authenticator;
    private @Nullable InetAddress local;

    private Builder() {}

    @Override
    public Builder cookieHandler(CookieHandler handler) {
      cookies = Objects.requireNonNull(handler, "cookieHandler");
      return this;
    }

    /**
     * Bounds the opening of a connection, and once more its TLS handshake.
     *
     * @throws IllegalArgumentException if it is not more than zero
     */
    @Override
    public Builder connectTimeout(Duration duration) {
      if (!Objects.requireNonNull(duration, "connectTimeout").isPositive()) {
        throw new IllegalArgumentException(
            "connectTimeout must be more than nothing, not " + duration);
      }
      connectTimeout = duration;
      return this;
    }

    @Override
    public Builder sslContext(SSLContext newContext) {
      context = Objects.requireNonNull(newContext, "sslContext");
      return this;
    }

    @Override
    public Builder sslParameters(SSLParameters newParameters) {
      parameters = Tls.copy(Objects.requireNonNull(newParameters, "sslParameters"));
      return this;
    }

    /**
     * Lets body handlers and subscribers of asynchronous calls run there. They run on virtual
     * threads by default; waiting for the network happens on those in any case.
     */
    @Override
    public Builder executor(Executor newExecutor) {
      executor = Objects.requireNonNull(newExecutor, "executor");
      return this;
    }

    @Override
    public Builder followRedirects(Redirect policy) {
      redirects = Objects.requireNonNull(policy, "followRedirects");
      return this;
    }

    @Override
    public Builder version(Version preferred) {
      version = Objects.requireNonNull(preferred, "version");
      return this;
    }

    /**
     * How important requests are that may go over HTTP/2. The weight is told to servers by the
     * field Priority (RFC 9218), because the scheme that had weights is deprecated (RFC 9113
     * section 5.3.2).
     *
     * @param weight 1 to 256, the most important
     * @throws IllegalArgumentException if it is out of this range
     */
    @Override
    public Builder priority(int weight) {
      if (weight < 1 || weight > 256) {
        throw new IllegalArgumentException("priority must be 1 to 256, not " + weight);
      }
      priority = weight;
      return this;
    }

    @Override
    public Builder proxy(ProxySelector selector) {
      proxy = Objects.requireNonNull(selector, "proxy");
      return this;
    }

    @Override
    public Builder authenticator(Authenticator newAuthenticator) {
      authenticator = Objects.requireNonNull(newAuthenticator, "authenticator");
      return this;
    }

    /**
     * Opens connections from this address of the machine; a client with one has a network, and so a
     * thread, of its own.
     *
     * @param address null for what the system chooses
     */
    @Override
    public Builder localAddress(@Nullable InetAddress address) {
      local = address;
      return this;
    }

    /**
     * The client.
     *
     * @throws IllegalArgumentException if an option cannot be honoured; the message names it
     */
    @Override
    public HeddleHttpClient build() {
      return new HeddleHttpClient(new Settings(
          cookies,
          connectTimeout,
          context == null ? Tls.defaultContext() : context,
          parameters == null ? null : Tls.copy(parameters),
          executor,
          redirects,
          version,
          priority,
          proxy,
          proxy == null ? ProxySelector.getDefault() : proxy,
          authenticator,
          local));
    }
  }

  // ---- what it was made with

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return Optional.ofNullable(settings.cookies());
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return Optional.ofNullable(settings.connectTimeout());
  }

  @Override
  public Redirect followRedirects() {
    return settings.redirects();
  }

  /** The selector that was given; empty where the system's own is used. */
  @Override
  public Optional<ProxySelector> proxy() {
    return Optional.ofNullable(settings.proxy());
  }

  @Override
  public SSLContext sslContext() {
    return settings.context();
  }

  @Override
  public SSLParameters sslParameters() {
    return Tls.effective(settings.parameters(), settings.context());
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return Optional.ofNullable(settings.authenticator());
  }

  @Override
  public Version version() {
    return settings.version();
  }

  /** The executor that was given; otherwise one that starts a virtual thread for each task. */
  @Override
  public Optional<Executor> executor() {
    Executor given = settings.executor();
    return Optional.of(given == null ? Shared.VIRTUAL_THREADS : given);
  }

  // ---- calls

  /**
   * Makes a call on the calling thread. Each exception is a new one, of the kind that the JDK's own
   * client throws, with the failure itself as its cause.
   *
   * @throws java.net.http.HttpTimeoutException when the request's timeout passes before there is a
   *     response with its body, or with as much of that as the handler waits for
   * @throws InterruptedException when the thread is interrupted; the exchange is aborted
   * @throws IllegalArgumentException if the request could not have been built
   */
  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return new JdkCall<>(shared, request, handler).send();
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return new JdkCall<>(shared, request, handler).start();
  }

  /**
   * As {@link #sendAsync(HttpRequest, BodyHandler)}: servers are told not to push.
   *
   * @param pushes never called
   */
  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
    return sendAsync(request, handler);
  }

  /** WebSockets are those of the JDK's own client, made with the same options. */
  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return stock.get().newWebSocketBuilder();
  }

  // ---- the end

  @Override
  public void shutdown() {
    shared.calls().shutdown();
    stock.shutdown();
  }

  /** Aborts what is under way: calls and bodies that are still read fail with IOException. */
  @Override
  public void shutdownNow() {
    shared.calls().shutdownNow();
    stock.shutdownNow();
  }

  @Override
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    long start = System.nanoTime();
    if (!shared.calls().awaitTermination(duration)) {
      return false;
    }
    return stock.awaitTermination(duration.minusNanos(System.nanoTime() - start));
  }

  @Override
  public boolean isTerminated() {
    return shared.calls().isTerminated() && stock.isTerminated();
  }
}
