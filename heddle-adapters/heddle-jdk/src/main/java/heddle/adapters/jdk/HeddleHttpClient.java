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
 * The JDK's {@link HttpClient} over Heddle: with the JDK's requests, body handlers, futures and
 * exceptions, and Heddle's connections. Thread-safe; make one and keep it.
 *
 * <pre>{@code
 * HttpClient client = HeddleHttpClient.newBuilder().followRedirects(Redirect.NORMAL).build();
 * HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
 * }</pre>
 *
 * <p>{@link #send} makes the call on the calling thread, which should be a virtual one; {@link
 * #sendAsync} makes it on a new virtual thread. Differences from the JDK's own client are listed in
 * {@code docs/adapters.md}.
 */
public final class HeddleHttpClient extends HttpClient {
  private final Calls calls;

  private HeddleHttpClient(Settings settings) {
    this.calls = new Calls(settings);
  }

  /** Returns a client with the JDK's defaults. */
  public static HeddleHttpClient newHttpClient() {
    return newBuilder().build();
  }

  /** Returns a builder with the JDK's defaults. */
  public static Builder newBuilder() {
    return new Builder();
  }

  /**
   * Builds a client from the JDK's own options, whose values are checked as by the JDK's builder.
   * An option that cannot be honoured is refused with its name and the reason. Not thread-safe.
   */
  public static final class Builder implements HttpClient.Builder {
    /** Checks the options. */
    private final HttpClient.Builder checked = HeddleBuilders.stock();

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
    private boolean timesContent = Settings.TIMES_CONTENT;

    private Builder() {}

    @Override
    public Builder cookieHandler(CookieHandler handler) {
      checked.cookieHandler(handler);
      cookies = handler;
      return this;
    }

    /**
     * Sets the timeout for opening a connection, and again for its TLS handshake.
     *
     * @throws IllegalArgumentException if it is not positive
     */
    @Override
    public Builder connectTimeout(Duration duration) {
      checked.connectTimeout(duration);
      connectTimeout = duration;
      return this;
    }

    /**
     * Sets whether {@link HttpRequest.Builder#timeout} covers the content for which the body
     * handler waits, and not only the time to the response's head. The default is the value of the
     * system property {@code heddle.jdk.timeoutCoversContent} (true or false) when this class is
     * loaded; without it, what the running JDK does: false up to JDK 25, true from JDK 26 on.
     */
    public Builder timeoutCoversContent(boolean whether) {
      timesContent = whether;
      return this;
    }

    @Override
    public Builder sslContext(SSLContext newContext) {
      checked.sslContext(newContext);
      context = newContext;
      return this;
    }

    @Override
    public Builder sslParameters(SSLParameters newParameters) {
      SSLParameters copy = Tls.copy(Objects.requireNonNull(newParameters, "sslParameters"));
      checked.sslParameters(copy);
      parameters = copy;
      return this;
    }

    /**
     * Sets the executor that runs body handlers and subscribers of asynchronous calls. The default
     * is virtual threads, which in any case wait for the network.
     */
    @Override
    public Builder executor(Executor newExecutor) {
      checked.executor(newExecutor);
      executor = newExecutor;
      return this;
    }

    @Override
    public Builder followRedirects(Redirect policy) {
      checked.followRedirects(policy);
      redirects = policy;
      return this;
    }

    @Override
    public Builder version(Version preferred) {
      checked.version(preferred);
      version = preferred;
      return this;
    }

    /**
     * Sets the priority of requests that may use HTTP/2. It is sent in the field Priority (RFC
     * 9218), because the scheme with weights is deprecated (RFC 9113 section 5.3.2).
     *
     * @param weight 1 to 256; 256 is the most important
     * @throws IllegalArgumentException if it is out of this range
     */
    @Override
    public Builder priority(int weight) {
      checked.priority(weight);
      priority = weight;
      return this;
    }

    @Override
    public Builder proxy(ProxySelector selector) {
      checked.proxy(selector);
      proxy = selector;
      return this;
    }

    @Override
    public Builder authenticator(Authenticator newAuthenticator) {
      checked.authenticator(newAuthenticator);
      authenticator = newAuthenticator;
      return this;
    }

    /**
     * Sets the local address of connections. A client with one has its own network, and so its own
     * thread.
     *
     * @param address null to have the system choose one
     */
    @Override
    public Builder localAddress(@Nullable InetAddress address) {
      checked.localAddress(address);
      local = address;
      return this;
    }

    /**
     * Builds the client.
     *
     * @throws IllegalArgumentException if an option cannot be honoured; the message names it
     */
    @Override
    public HeddleHttpClient build() {
      return new HeddleHttpClient(new Settings(
          cookies,
          connectTimeout,
          context,
          parameters,
          executor,
          redirects,
          version,
          priority,
          proxy,
          proxy == null ? ProxySelector.getDefault() : proxy,
          authenticator,
          local,
          timesContent));
    }
  }

  // ---- options

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return Optional.ofNullable(calls.settings.cookies());
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return Optional.ofNullable(calls.settings.connectTimeout());
  }

  @Override
  public Redirect followRedirects() {
    return calls.settings.redirects();
  }

  /** The selector that was set; empty if the system's own is used. */
  @Override
  public Optional<ProxySelector> proxy() {
    return Optional.ofNullable(calls.settings.proxy());
  }

  @Override
  public SSLContext sslContext() {
    return calls.settings.context();
  }

  @Override
  public SSLParameters sslParameters() {
    return Tls.effective(calls.settings.parameters(), calls.settings.context());
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return Optional.ofNullable(calls.settings.authenticator());
  }

  @Override
  public Version version() {
    return calls.settings.version();
  }

  /** The executor that was set; empty if virtual threads are used. */
  @Override
  public Optional<Executor> executor() {
    return Optional.ofNullable(calls.settings.executor());
  }

  // ---- calls

  /**
   * Makes a call on the calling thread. Each exception is a new one, of the kind that the JDK's own
   * client throws, with the failure itself as its cause.
   *
   * @throws java.net.http.HttpTimeoutException if the request's timeout passes before the head of
   *     the response, or {@linkplain Builder#timeoutCoversContent its content}, has arrived
   * @throws InterruptedException if the thread is interrupted; the exchange is aborted
   * @throws IllegalArgumentException if the request could not have been built
   */
  @Override
  public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return new JdkCall<>(calls, request, handler).send();
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler) {
    return new JdkCall<>(calls, request, handler).start();
  }

  /**
   * As {@link #sendAsync(HttpRequest, BodyHandler)}: server push is disabled.
   *
   * @param pushes never called
   */
  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
    return sendAsync(request, handler);
  }

  /**
   * Returns a builder of WebSockets over connections of this client. A virtual thread receives for
   * each open socket and calls its listener, on the {@linkplain Builder#executor executor} if there
   * is one.
   */
  @Override
  public WebSocket.Builder newWebSocketBuilder() {
    return new JdkWebSocketBuilder(calls);
  }

  // ---- closing

  @Override
  public void shutdown() {
    calls.shutdown();
  }

  /** Aborts running calls: they and bodies that are still read fail with IOException. */
  @Override
  public void shutdownNow() {
    calls.shutdownNow();
  }

  @Override
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return calls.awaitTermination(duration);
  }

  @Override
  public boolean isTerminated() {
    return calls.isTerminated();
  }
}
