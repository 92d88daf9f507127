package heddle.client;

import heddle.client.call.CallChain;
import heddle.client.call.CallOptions;
import heddle.client.call.Calls;
import heddle.client.dial.CachingResolver;
import heddle.client.dial.Dialer;
import heddle.client.pool.ConnectionPool;
import heddle.client.route.RoutePlanner;
import heddle.client.settings.AddressPolicy;
import heddle.client.settings.DecodingLimits;
import heddle.client.settings.NameCacheLimits;
import heddle.client.settings.PoolLimits;
import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.Authenticator;
import heddle.client.spi.CookieStore;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import heddle.connection.MinimumRate;
import heddle.http.Body;
import heddle.http.BodyCodec;
import heddle.http.ContentCoding;
import heddle.http.HeaderName;
import heddle.http.HttpVersion;
import heddle.http.Limits;
import heddle.http.MalformedUrlException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.transport.Network;
import heddle.transport.names.Resolver;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.time.Deadline;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP client to be called from virtual threads: each call blocks its caller and costs no
 * platform thread. Safe for use by many threads; create one and reuse it.
 *
 * <pre>{@code
 * try (HttpClient client = HttpClient.create();
 *     Response response = client.send(Request.get("http://localhost:8080/hello"))) {
 *   System.out.println(response.status() + " " + response.string());
 * }
 * }</pre>
 */
public final class HttpClient implements AutoCloseable {
  private final Network network;
  private final Dialer dialer;
  private final ConnectionPool pool;
  private final RoutePlanner routes;
  private final Calls calls;

  /** The steps between callers and calls; null if there are none. */
  private final @Nullable CallChain chain;

  private final Timeouts timeouts;
  private final boolean plain;
  private final @Nullable String label;
  private final @Nullable BaseUrl baseUrl;
  private final @Nullable BodyCodec codec;
  private final AtomicBoolean closed = new AtomicBoolean();

  private HttpClient(Builder builder) {
    network = builder.network();
    timeouts = builder.options.timeouts;
    plain = builder.steps.isPlain();
    label = builder.options.label;
    baseUrl = builder.baseUrl;
    codec = builder.codec;
    routes = RoutePlanner.through(builder.proxies, builder.version);
    Resolver names = builder.resolver == null ? Resolver.system(network.loop()) : builder.resolver;
    Resolver resolver = new CachingResolver(names, builder.nameCache, network.loop());
    dialer = new Dialer(
        network,
        resolver,
        new JsseTls(builder.tls),
        timeouts,
        builder.heads,
        builder.steps.authenticators);
    calls = new Calls(
        dialer,
        connector -> new ConnectionPool(builder.poolLimits, connector, network.loop()),
        network.loop(),
        builder.options,
        builder.coalescing ? resolver : null);
    pool = calls.pool();
    dialer.watch(pool);
    dialer.allow(builder.addresses);
    if (builder.upgrading) {
      dialer.upgradeToH2c();
    }
    chain = builder.steps.chain(calls, routes, baseUrl, network.loop());
  }

  /** A client with the defaults. */
  public static HttpClient create() {
    return builder().build();
  }

  /** A builder with the defaults. */
  public static Builder builder() {
    return new Builder();
  }

  /** Collects the settings of a client. Not safe for use by several threads. */
  public static final class Builder {
    private PoolLimits poolLimits = PoolLimits.DEFAULTS;
    private final CallOptions options = new CallOptions();
    private final ClientSteps steps = new ClientSteps();
    private @Nullable Network network;

    /** Configures a TCP network that this client alone uses; null if no option asks for one. */
    private TcpNetwork.@Nullable Builder tcp;

    private @Nullable Resolver resolver;
    private NameCacheLimits nameCache = NameCacheLimits.DEFAULTS;
    private @Nullable HttpVersion version;
    private Supplier<TlsOptions> tls = TlsOptions::defaults;
    private boolean coalescing;
    private boolean upgrading;
    private Limits heads = Limits.DEFAULTS;
    private AddressPolicy addresses = AddressPolicy.any();
    private @Nullable ProxySelector proxies;
    private @Nullable BaseUrl baseUrl;
    private @Nullable BodyCodec codec;

    private Builder() {}

    /**
     * The URL that {@link HttpClient#request}, {@link HttpClient#get} and their kind put before
     * URLs without scheme and host, with one slash between: after {@code
     * baseUrl("https://example.com/v1")}, {@code get("/users")} asks for {@code
     * https://example.com/v1/users}.
     *
     * @throws IllegalArgumentException if it is no absolute http or https URL, or has a query or
     *     fragment
     */
    public Builder baseUrl(String url) {
      Objects.requireNonNull(url, "url");
      baseUrl = BaseUrl.parse(url);
      return this;
    }

    /**
     * Converts the values of requests and responses; by default the {@linkplain BodyCodec#installed
     * installed} codec does. Requests may have {@linkplain Request.Builder#codec their own}.
     */
    public Builder codec(BodyCodec codec) {
      this.codec = Objects.requireNonNull(codec, "codec");
      return this;
    }

    /** A name by which listeners and metrics tell this client from others; none by default. */
    public Builder label(String label) {
      options.label = Objects.requireNonNull(label, "label");
      return this;
    }

    /** How many connections there may be, and how many calls may wait for one. */
    public Builder poolLimits(PoolLimits limits) {
      Objects.requireNonNull(limits, "limits");
      poolLimits = limits;
      return this;
    }

    /**
     * How long the parts of a call may take. By default there must be a response after 60 s, whose
     * content may take any time in which the server is not silent for 30 s; {@link Timeouts#call}
     * limits the whole call, and so does the {@linkplain Request.Builder#deadline deadline} of a
     * request.
     */
    public Builder timeouts(Timeouts newTimeouts) {
      Objects.requireNonNull(newTimeouts, "newTimeouts");
      options.timeouts = newTimeouts;
      return this;
    }

    /**
     * How fast the content of a response must arrive; there is no limit by default. A slower
     * response fails with a {@link heddle.http.failure.SlowResponseException}. Only the time in
     * which the client waits for the server counts, not that in which the caller does not read. A
     * server that was fast before may fall behind for up to a minute.
     *
     * @param bytesPerSecond 0 for no limit
     * @param grace after which the client first checks the rate; so the wait may be twice as long
     * @throws IllegalArgumentException if the rate is negative, or the grace of a rate not positive
     */
    public Builder minResponseRate(int bytesPerSecond, Duration grace) {
      options.minResponseRate = new MinimumRate(bytesPerSecond, grace);
      return this;
    }

    /** When a request is sent again; {@link RetryPolicy#provablySafe} by default. */
    public Builder retries(RetryPolicy policy) {
      Objects.requireNonNull(policy, "policy");
      options.retries = policy;
      return this;
    }

    /** How many requests of a route may be sent again; 10%, and 10 a second, by default. */
    public Builder retryBudget(RetryBudget budget) {
      Objects.requireNonNull(budget, "budget");
      options.budget = budget;
      return this;
    }

    /** Adds a listener; may be called repeatedly. */
    public Builder listener(ExchangeListener listener) {
      Objects.requireNonNull(listener, "listener");
      options.listeners.add(listener);
      return this;
    }

    /** Adds an interceptor inside those added before, outside the client's own unless innermost. */
    public Builder interceptor(Interceptor interceptor) {
      Objects.requireNonNull(interceptor, "interceptor");
      steps.interceptors.add(interceptor);
      return this;
    }

    /**
     * Which redirects are followed; by default up to 10 of requests with {@linkplain
     * RedirectPolicy#ofSafeMethods() safe methods}. {@link RedirectPolicy#never()} follows none.
     */
    public Builder redirects(RedirectPolicy policy) {
      Objects.requireNonNull(policy, "policy");
      steps.redirects = policy;
      return this;
    }

    /**
     * Sends the cookies of a store with each request, redirects included, unless it has a Cookie
     * field, and stores the cookies that responses set; there is no store by default. The module
     * {@code heddle-cookies} has a store that follows RFC 6265.
     */
    public Builder cookies(CookieStore store) {
      Objects.requireNonNull(store, "store");
      steps.cookies = store;
      return this;
    }

    /**
     * Asks for gzip, deflate, and the codings that are {@linkplain ContentCoding#installed
     * installed} or were given, if a request does not say what it accepts, and decodes the response
     * while it is read (RFC 9110 sections 8.4 and 12.5.3); on by default, with {@link
     * DecodingLimits#DEFAULTS}. A decoded response has neither Content-Encoding nor Content-Length,
     * and the length of its body is unknown.
     *
     * <p>Requests with Accept-Encoding or Range, HEAD requests, and responses with other codings
     * are left unchanged. Reading content that is cut short, corrupt, or followed by other data
     * fails with {@link heddle.http.failure.MalformedMessageException}; content that grows too
     * much, with {@link heddle.http.failure.MessageTooLargeException}.
     *
     * @param limits how large decoded content may become; null to neither ask nor decode
     */
    public Builder contentCodings(@Nullable DecodingLimits limits) {
      steps.decoding = limits;
      return this;
    }

    /**
     * As {@link #contentCodings(DecodingLimits)}, with these codings instead of the installed ones.
     *
     * @param codings listed in Accept-Encoding in this order, before gzip and deflate; may be empty
     */
    public Builder contentCodings(DecodingLimits limits, List<? extends ContentCoding> codings) {
      steps.decoding = Objects.requireNonNull(limits, "limits");
      steps.codings = List.copyOf(codings);
      return this;
    }

    /**
     * Sends and returns messages as they are, for use below another library that does the rest:
     * follows no redirects, neither asks for content codings nor decodes them, and adds no fields.
     * Methods that are called later may change each of these.
     */
    public Builder plain() {
      steps.clear();
      return this;
    }

    /**
     * The User-Agent of requests that do not have the field (RFC 9110 section 10.1.5); {@code
     * heddle/VERSION (Java)} by default.
     *
     * @param value such as {@code shop/2.1}; null for none
     * @throws IllegalArgumentException if it cannot be the value of a field
     */
    public Builder userAgent(@Nullable String value) {
      steps.userAgent(value);
      return this;
    }

    /**
     * Adds a field to each request that does not have one of this name. A field with credentials
     * (Authorization, Cookie) is sent to the origin of the {@linkplain #baseUrl base URL} alone if
     * there is one, and like other credentials never along a redirect to another origin.
     *
     * @throws IllegalArgumentException if it cannot be sent, or frames or routes the message
     */
    public Builder header(String name, String value) {
      steps.field(HeaderName.of(name), value);
      return this;
    }

    /**
     * Adds an authenticator, which has credentials for origins and HTTP proxies that ask for them.
     * Authenticators are asked in the order in which they were added.
     */
    public Builder authenticator(Authenticator authenticator) {
      Objects.requireNonNull(authenticator, "authenticator");
      steps.authenticators.add(authenticator);
      return this;
    }

    /**
     * Adds fields to each attempt of a request, such as {@code traceparent}; called after {@link
     * ExchangeListener#attemptStarted}. If two set the same field, the one added later wins.
     */
    public Builder attemptFields(AttemptFields fields) {
      Objects.requireNonNull(fields, "fields");
      options.fields.add(fields);
      return this;
    }

    /**
     * Sends in this field the milliseconds that are left until the call's deadline, or until its
     * response must have come if that is earlier ({@link Timeouts#head}): servers can drop work
     * whose result comes too late.
     *
     * @throws IllegalArgumentException if it is a field that frames or routes the message
     */
    public Builder deadlineHeader(HeaderName name) {
      Objects.requireNonNull(name, "name");
      if (ClientSteps.FRAMING.contains(name)) {
        throw new IllegalArgumentException(
            "deadlineHeader must not be " + name + ", which frames or routes the message");
      }
      options.deadlineHeader = name;
      return this;
    }

    /**
     * Makes requests whose content has at least this many bytes, or an unknown length, expect 100
     * (Continue), as {@link Request.Builder#expectContinue} does for one request, unless they have
     * an Expect field. None do by default. How long content waits: {@link Timeouts#expectContinue}.
     *
     * @param bytes at least 1, which means all content
     * @throws IllegalArgumentException if it is less
     */
    public Builder expectContinueFrom(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException(
            "expectContinueFrom must be at least 1 (1 byte: all content), but was " + bytes);
      }
      options.expectContinueFrom = bytes;
      return this;
    }

    /**
     * After which responses the client closes an HTTP/1.1 connection instead of using it again; by
     * default only if the protocol requires it. Behind a load balancer, this is how a client gets
     * away from a server that fails: another connection may lead to another server. HTTP/2
     * connections stay open, since other calls use them.
     *
     * @param which tested for each response, on the thread of the call, which throws what it throws
     */
    public Builder closeConnectionsAfter(Predicate<Status> which) {
      Objects.requireNonNull(which, "which");
      options.closesAfter = which;
      return this;
    }

    /** The network to use; closed with the client. By default clients share one with one loop. */
    public Builder network(Network newNetwork) {
      Objects.requireNonNull(newNetwork, "newNetwork");
      network = newNetwork;
      return this;
    }

    /**
     * Gives the client its own TCP network with this number of loops. Without this option, {@link
     * #tcpKeepAlive}, {@link #socketBuffers} and {@link #localAddress} create one with a single
     * loop.
     *
     * @param loops 1 to 64; more than one helps only if one thread cannot read fast enough
     */
    public Builder loops(int loops) {
      tcp().loops(loops);
      return this;
    }

    /**
     * Gives the client its own TCP network, whose idle connections the operating system probes
     * (SO_KEEPALIVE), by its own settings, as some firewalls and NAT devices require.
     */
    public Builder tcpKeepAlive() {
      tcp().keepAlive(true);
      return this;
    }

    /**
     * As {@link #tcpKeepAlive()}, at these times instead of the system's.
     *
     * @param idle how long a connection is silent before the first probe
     * @param interval how long a probe waits for an answer before the next one
     * @throws IllegalArgumentException if one is not from 1 to 32,767 s; fractions of a second are
     *     ignored
     * @throws UnsupportedOperationException if the platform allows no such times
     */
    public Builder tcpKeepAlive(Duration idle, Duration interval) {
      tcp().keepAlive(idle, interval);
      return this;
    }

    /**
     * Gives the client its own TCP network, with fixed sizes of the system's buffers for each
     * connection (SO_SNDBUF, SO_RCVBUF). By default the system adapts them to the path, which is
     * usually faster.
     *
     * @param send in bytes, which the system may round; 0 for the system's choice
     * @param receive the same
     * @throws IllegalArgumentException if one is negative
     */
    public Builder socketBuffers(int send, int receive) {
      tcp().socketBuffers(send, receive);
      return this;
    }

    /**
     * Gives the client its own TCP network, whose connections are opened from this local address.
     * Connecting fails if the machine does not have it, or cannot reach the server from it.
     */
    public Builder localAddress(InetAddress address) {
      Objects.requireNonNull(address, "address");
      tcp().localAddress(address);
      return this;
    }

    /**
     * Connects to this Unix domain socket whatever host a URL names, without looking that up and
     * without proxies. Gives the client its own network.
     */
    public Builder unixSocket(Path socket) {
      tcp().unixSocket(Objects.requireNonNull(socket, "socket"));
      resolver = (host, deadline) -> List.of(InetAddress.getLoopbackAddress());
      proxies = null;
      return this;
    }

    private TcpNetwork.Builder tcp() {
      if (tcp == null) {
        tcp = TcpNetwork.builder();
      }
      return tcp;
    }

    private Network network() {
      if (network != null && tcp != null) {
        throw new IllegalStateException(
            "loops, tcpKeepAlive, localAddress and unixSocket configure a network that"
                + " the client creates; omit them if network() is given one");
      }
      if (network != null) {
        return network;
      }
      return tcp == null ? TcpNetwork.shared() : tcp.build();
    }

    /** Looks up host names; the system by default. {@linkplain #nameCache Caches} the answers. */
    public Builder resolver(Resolver newResolver) {
      Objects.requireNonNull(newResolver, "newResolver");
      resolver = newResolver;
      return this;
    }

    /**
     * Which addresses the client may connect to; {@linkplain AddressPolicy#any() all} by default.
     * The policy cannot protect requests through a proxy, which resolves the names of origins
     * itself: only the proxy's addresses are asked about.
     */
    public Builder addresses(AddressPolicy policy) {
      Objects.requireNonNull(policy, "policy");
      addresses = policy;
      return this;
    }

    /** How many host names are cached, and for how long. */
    public Builder nameCache(NameCacheLimits limits) {
      Objects.requireNonNull(limits, "limits");
      nameCache = limits;
      return this;
    }

    /**
     * The version of HTTP for requests that do not name one. By default TLS negotiates the best
     * version that both sides support, and HTTP/1.1 is used without TLS. With HTTP/2, the client
     * offers only that over TLS, and has prior knowledge without TLS (RFC 9113 section 3.3).
     *
     * @throws IllegalArgumentException if it is HTTP/1.0
     */
    public Builder version(HttpVersion newVersion) {
      Objects.requireNonNull(newVersion, "newVersion");
      if (newVersion == HttpVersion.HTTP_1_0) {
        throw new IllegalArgumentException("a client speaks HTTP/1.1 or HTTP/2, not HTTP/1.0");
      }
      version = newVersion;
      return this;
    }

    /**
     * How large the head of a response may be, and so how much memory a server can make the client
     * hold for each request in flight. If it is larger, the call fails with {@link
     * heddle.http.failure.MessageTooLargeException}.
     *
     * @param bytes of the head; 64 KiB by default, at least 64
     * @param fields in it; 200 by default, at least 1
     * @throws IllegalArgumentException if one of them is less
     */
    public Builder maxResponseHead(int bytes, int fields) {
      heads = Limits.builder().maxHeadBytes(bytes).maxFields(fields).build();
      return this;
    }

    /**
     * Whether cleartext connections offer HTTP/2 to their servers with the first request (RFC 7540
     * section 3.2), unless it goes through a proxy, or it or the client names a version. If the
     * server takes the offer, calls to that origin share connections from then on; each call made
     * before the first answer had a connection to itself. If not, the connection speaks HTTP/1.1.
     *
     * <p>Off by default: the upgrade is deprecated (RFC 9113 section 3.1) and few servers support
     * it. If you know that the server speaks HTTP/2, set the {@link #version} instead.
     */
    public Builder upgradeToH2c(boolean whether) {
      upgrading = whether;
      return this;
    }

    /**
     * Trust anchors and client certificate for https; by default the JDK's trust anchors and no
     * client certificate. Clients with the same options resume each other's TLS sessions.
     */
    public Builder tls(TlsOptions options) {
      Objects.requireNonNull(options, "options");
      return tls(() -> options);
    }

    /**
     * As {@link #tls(TlsOptions)}, with options that are made when a call first needs TLS: loading
     * trust anchors takes longer than many a program.
     *
     * @param options called once at most; calls fail with an {@link java.io.IOException} if it
     *     throws an {@link IllegalArgumentException}
     */
    public Builder tls(Supplier<TlsOptions> options) {
      Objects.requireNonNull(options, "options");
      tls = options;
      return this;
    }

    /**
     * Whether a call may use an open HTTP/2 connection of another origin (RFC 9113 section 9.1.1);
     * off by default. It saves connections and handshakes if one server has many names.
     *
     * <p>A call does so in its first attempt, for https, while its own route has no connection. Its
     * host must resolve to the very address of that connection, on the same port, and the
     * certificate shown there must name the host (RFC 9525: a wildcard as the whole left-most
     * label, an address for an address, no common name). A connection does not qualify if its
     * certificate was not verified, the client sent a certificate, {@link
     * TlsOptions.Builder#context} was given (which may require more of one host than of another),
     * or it goes through a proxy. The call counts as one of the route whose connection it uses: in
     * that route's limits, in {@link PoolSnapshot}, and in the connection that listeners see.
     *
     * <p>It is off because a certificate may name hosts that the server does not serve. If a server
     * notices and answers 421 (Misdirected Request), the request is sent again at once on a
     * connection to its own origin, whatever the method, if its body is {@linkplain
     * heddle.http.Body#isReplayable() replayable} (RFC 9110 section 15.5.20); otherwise the caller
     * gets the response. That origin does not use connections of that route again as long as the
     * connection lives. A server that does not notice answers for the wrong host.
     *
     * <p>The ORIGIN frame (RFC 8336), by which servers name the origins they serve, is ignored.
     */
    public Builder coalesceOrigins(boolean whether) {
      coalescing = whether;
      return this;
    }

    /** Sends all requests through a proxy; there is none by default. */
    public Builder proxy(Proxy proxy) {
      Objects.requireNonNull(proxy, "proxy");
      return proxies(origin -> List.of(proxy));
    }

    /**
     * Which proxies requests go through; none by default, see {@link ProxySelector#fromSystem}.
     *
     * <p>Requests for http origins are sent to an HTTP proxy directly, on connections that all such
     * origins share, so the limits per route apply to the proxy. For https, and for HTTP/2 with
     * prior knowledge, the client opens a tunnel with CONNECT, which the connect timeout covers; in
     * it, TLS protects https requests from the proxy too.
     */
    public Builder proxies(ProxySelector selector) {
      Objects.requireNonNull(selector, "selector");
      proxies = selector;
      return this;
    }

    /** Builds the client. */
    public HttpClient build() {
      return new HttpClient(this);
    }
  }

  /**
   * A builder for a GET, with the client's {@linkplain Builder#codec codec}.
   *
   * @param url absolute, or to be put behind the {@linkplain Builder#baseUrl base URL}; may have
   *     placeholders
   * @param values one for each placeholder: see {@link Request.Builder#url(String, Object...)}
   * @throws MalformedUrlException if it is no URL, or the client has no base URL for it
   */
  public Request.Builder request(String url, Object... values) throws MalformedUrlException {
    return Request.builder(BaseUrl.absolute(baseUrl, url), values).codec(codec);
  }

  /** Sends a GET: see {@link #request} and {@link #send(Request)}. */
  public Response get(String url, Object... values) throws IOException {
    return send(request(url, values).build());
  }

  /** Sends a HEAD: see {@link #request} and {@link #send(Request)}. */
  public Response head(String url, Object... values) throws IOException {
    return send(request(url, values).method(Method.HEAD).build());
  }

  /** Sends a DELETE: see {@link #request} and {@link #send(Request)}. */
  public Response delete(String url, Object... values) throws IOException {
    return send(request(url, values).method(Method.DELETE).build());
  }

  /** Sends a POST: see {@link #request} and {@link #send(Request)}. */
  public Response post(String url, Body body, Object... values) throws IOException {
    return send(request(url, values).method(Method.POST).body(body).build());
  }

  /** Sends a POST of a value's content: see {@link Request.Builder#body(Object)}. */
  public Response post(String url, Object value, Object... values) throws IOException {
    return send(request(url, values).method(Method.POST).body(value).build());
  }

  /** Sends a PUT: see {@link #request} and {@link #send(Request)}. */
  public Response put(String url, Body body, Object... values) throws IOException {
    return send(request(url, values).method(Method.PUT).body(body).build());
  }

  /** Sends a PUT of a value's content: see {@link Request.Builder#body(Object)}. */
  public Response put(String url, Object value, Object... values) throws IOException {
    return send(request(url, values).method(Method.PUT).body(value).build());
  }

  /** Sends a PATCH: see {@link #request} and {@link #send(Request)}. */
  public Response patch(String url, Body body, Object... values) throws IOException {
    return send(request(url, values).method(Method.PATCH).body(body).build());
  }

  /** Sends a PATCH of a value's content: see {@link Request.Builder#body(Object)}. */
  public Response patch(String url, Object value, Object... values) throws IOException {
    return send(request(url, values).method(Method.PATCH).body(value).build());
  }

  /**
   * Sends a request and waits for the head of the response; a small body has arrived with it. The
   * caller must read the response's body to its end or close it.
   *
   * @throws heddle.http.HttpException if the call fails; it says what was tried, how far it got,
   *     and whether the request was sent
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   *     and the call is aborted
   * @throws IOException if an interceptor or another step of the call throws one
   */
  public Response send(Request request) throws IOException {
    return begin(request, null).call();
  }

  /**
   * Sends a request as {@link #send(Request)} does, with one more listener, for this call only.
   *
   * @throws IOException as {@link #send(Request)} does
   */
  public Response send(Request request, ExchangeListener listener) throws IOException {
    return begin(request, listener).call();
  }

  /** Sends a request on a new virtual thread: see {@link HttpCall#executeAsync}. */
  public CompletableFuture<Response> sendAsync(Request request) {
    return newCall(request).executeAsync();
  }

  /** Begins a call over HTTP/2 whose content is written while its response is read. */
  public DuplexCall open(Request request) {
    return new DuplexCall(request, this::newCall);
  }

  /** Makes a call that any thread may cancel. Nothing is sent until it is executed. */
  public HttpCall newCall(Request request) {
    return new HttpCall(request, network.loop(), () -> begin(request, null));
  }

  /** Makes a call as {@link #newCall(Request)} does, with one more listener, for this call only. */
  public HttpCall newCall(Request request, ExchangeListener listener) {
    return new HttpCall(request, network.loop(), () -> begin(request, listener));
  }

  private Calls.Prepared begin(Request given, @Nullable ExchangeListener listener) {
    Request request = codec == null || given.codec() != null
        ? given
        : given.toBuilder().codec(codec).build();
    Deadline inherited = Deadlines.current(network.clock());
    return chain == null
        ? calls.begin(request, routes.plan(request), inherited, listener)
        : chain.begin(request, inherited, listener);
  }

  /**
   * Closes connections that no call has used for this long, as before a checkpoint of the JVM.
   *
   * @param unused not negative; zero closes all connections that no call uses now
   * @return the number of connections closed
   * @throws IllegalArgumentException if it is negative
   */
  public int closeIdle(Duration unused) {
    if (unused.isNegative()) {
      throw new IllegalArgumentException("unused must not be negative, but was " + unused);
    }
    return pool.closeIdle(TimeUnit.NANOSECONDS.convert(unused));
  }

  /** Whether messages are sent and returned as they are: see {@link Builder#plain}. */
  public boolean isPlain() {
    return plain;
  }

  /** The {@linkplain Builder#label name} of the client; null if it has none. */
  public @Nullable String label() {
    return label;
  }

  /** The connections and waiting calls at this moment. */
  public PoolSnapshot pool() {
    return pool.snapshot();
  }

  /**
   * Takes no more calls, waits for running calls at most the close timeout, and then aborts the
   * rest. Calls that wait for a connection fail at once with a {@link
   * heddle.http.failure.ClientClosedException}, as do aborted calls and reads of their response
   * bodies. An interrupt ends the wait. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    pool.shutdown();
    dialer.close();
    calls.close();
    Deadline deadline = Deadline.after(timeouts.close(), network.clock());
    try {
      pool.awaitEmpty(deadline);
    } catch (IOException e) {
      // The time is up or the thread was interrupted: the remaining calls are aborted.
      pool.abort();
      calls.abort();
    }
    network.close();
  }
}
