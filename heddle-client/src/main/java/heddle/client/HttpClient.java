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
import heddle.http.HeaderName;
import heddle.http.HttpVersion;
import heddle.http.Limits;
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
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
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
  private final AtomicBoolean closed = new AtomicBoolean();

  private HttpClient(Builder builder) {
    network = builder.network();
    CallOptions options = builder.options.build();
    timeouts = options.timeouts();
    routes = RoutePlanner.through(builder.proxies, builder.version);
    Resolver given = builder.resolver;
    Resolver resolver = new CachingResolver(
        given == null ? Resolver.system(network.loop()) : given, builder.nameCache, network.loop());
    dialer = new Dialer(
        network,
        resolver,
        new JsseTls(builder.tls),
        timeouts,
        builder.heads,
        builder.steps.authenticators);
    calls = Calls.over(
        dialer,
        connector -> new ConnectionPool(builder.poolLimits, connector, network.loop()),
        network.loop(),
        options,
        builder.coalescing ? resolver : null);
    pool = calls.pool();
    dialer.watch(pool);
    dialer.allow(builder.addresses);
    if (builder.upgrading) {
      dialer.upgradeToH2c();
    }
    chain = builder.steps.over(calls, routes, network.clock());
  }

  /** A client with the defaults. */
  public static HttpClient create() {
    return builder().build();
  }

  public static Builder builder() {
    return new Builder();
  }

  /** Collects the settings of a client. Not safe for use by several threads. */
  public static final class Builder {
    /** Fields that say how a message is framed or routed. */
    private static final Set<HeaderName> FRAMING = Set.of(
        HeaderName.CONTENT_LENGTH,
        HeaderName.TRANSFER_ENCODING,
        HeaderName.CONNECTION,
        HeaderName.HOST);

    private PoolLimits poolLimits = PoolLimits.DEFAULTS;
    private final CallOptions.Builder options = CallOptions.builder();
    private final Steps steps = new Steps();
    private @Nullable Network network;

    /** Configures a TCP network that this client alone uses; null if no option asks for one. */
    private TcpNetwork.@Nullable Builder tcp;

    private @Nullable Resolver resolver;
    private NameCacheLimits nameCache = NameCacheLimits.DEFAULTS;
    private @Nullable HttpVersion version;
    private @Nullable TlsOptions tls;
    private boolean coalescing;
    private boolean upgrading;
    private Limits heads = Limits.DEFAULTS;
    private AddressPolicy addresses = AddressPolicy.any();
    private @Nullable ProxySelector proxies;

    private Builder() {}

    /** How many connections there may be, and how many calls may wait for one. */
    public Builder poolLimits(PoolLimits limits) {
      poolLimits = limits;
      return this;
    }

    /** How long the parts of a call may take. */
    public Builder timeouts(Timeouts newTimeouts) {
      options.timeouts(newTimeouts);
      return this;
    }

    /**
     * How fast the content of a response must arrive; there is no limit by default. Only the time
     * in which the client waits for the server counts, not the time in which the caller does not
     * read the body. A server that was fast before may fall behind for up to a minute. A response
     * that is slower fails with a {@link heddle.http.failure.SlowResponseException}.
     *
     * @param bytesPerSecond 0 for no limit
     * @param grace how long the client waits for the server before the rate applies; it checks the
     *     rate for the first time after this period, so the wait may be twice as long
     * @throws IllegalArgumentException if the rate is negative, or if there is a rate and the grace
     *     is not positive
     */
    public Builder minResponseRate(int bytesPerSecond, Duration grace) {
      options.minResponseRate(new MinimumRate(bytesPerSecond, grace));
      return this;
    }

    /**
     * When a request is sent again; by default, only if that is {@linkplain
     * RetryPolicy#provablySafe() provably safe}.
     */
    public Builder retries(RetryPolicy policy) {
      options.retries(policy);
      return this;
    }

    /** How many requests of a route may be sent again; 10%, and 10 a second, by default. */
    public Builder retryBudget(RetryBudget budget) {
      options.budget(budget);
      return this;
    }

    /** Adds a listener; may be called repeatedly. */
    public Builder listener(ExchangeListener listener) {
      options.listener(listener);
      return this;
    }

    /**
     * Adds an interceptor of each call, outside all steps of the client itself; may be called
     * repeatedly. The interceptor added first is the outermost.
     */
    public Builder interceptor(Interceptor interceptor) {
      steps.interceptors.add(interceptor);
      return this;
    }

    /** Which redirects are followed; {@linkplain RedirectPolicy#never() none} by default. */
    public Builder redirects(RedirectPolicy policy) {
      steps.redirects = policy;
      return this;
    }

    /**
     * Sends the cookies of a store with each request, redirects included, and stores the cookies
     * that responses set; there is no store by default. A request that already has a Cookie field
     * is sent unchanged. The module {@code heddle-cookies} has a store that follows RFC 6265.
     */
    public Builder cookies(CookieStore store) {
      steps.cookies = store;
      return this;
    }

    /**
     * Asks for gzip and deflate if a request does not say what it accepts, and decodes the response
     * while it is read (RFC 9110 sections 8.4 and 12.5.3). Off by default. A decoded response has
     * neither Content-Encoding nor Content-Length, and the length of its body is unknown.
     *
     * <p>Requests with Accept-Encoding or Range, HEAD requests, and responses with other codings
     * are left unchanged. Content that is cut short, corrupt, or followed by other data fails to be
     * read, with {@link heddle.http.failure.MalformedMessageException}; so does content that grows
     * too much, with {@link heddle.http.failure.MessageTooLargeException}.
     *
     * @param limits how large decoded content may become, such as {@link DecodingLimits#DEFAULTS}
     */
    public Builder contentCodings(DecodingLimits limits) {
      steps.decoding = limits;
      return this;
    }

    /**
     * Adds an authenticator, which has credentials for origins and HTTP proxies that ask for them;
     * may be called repeatedly. Authenticators are asked in the order in which they were added.
     */
    public Builder authenticator(Authenticator authenticator) {
      steps.authenticators.add(authenticator);
      return this;
    }

    /**
     * Adds fields to each attempt of a request, such as {@code traceparent}; called after {@link
     * ExchangeListener#attemptStarted}. May be called repeatedly; if two set the same field, the
     * one added later wins.
     */
    public Builder attemptFields(AttemptFields fields) {
      options.fields(fields);
      return this;
    }

    /**
     * Sends in this field how many milliseconds the call has left, so that a server can drop work
     * that the client will no longer wait for.
     *
     * @throws IllegalArgumentException if it is a field that frames or routes the message
     */
    public Builder deadlineHeader(HeaderName name) {
      if (FRAMING.contains(name)) {
        throw new IllegalArgumentException(
            "deadlineHeader must not be " + name + ", which frames or routes the message");
      }
      options.deadlineHeader(name);
      return this;
    }

    /**
     * Makes requests whose content has at least this many bytes, or an unknown length, expect 100
     * (Continue), as {@link Request.Builder#expectContinue} does for one request. None do by
     * default. A request that already has an Expect field is left unchanged. How long content waits
     * is set by {@link Timeouts#expectContinue}.
     *
     * @param bytes at least 1, which means all content
     * @throws IllegalArgumentException if it is less
     */
    public Builder expectContinueFrom(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException(
            "expectContinueFrom must be at least 1 (1 byte: all content), but was " + bytes);
      }
      options.expectContinueFrom(bytes);
      return this;
    }

    /**
     * After which responses the client closes an HTTP/1.1 connection instead of using it again; by
     * default only if the protocol requires it. With a load balancer in front of the servers, this
     * is how a client gets away from one that fails: the next request goes over another connection,
     * and perhaps to another server. HTTP/2 connections stay open, since other calls use them.
     *
     * @param which tested for each response, on the thread of the call, which throws what it throws
     */
    public Builder closeConnectionsAfter(Predicate<Status> which) {
      options.closesAfter(which);
      return this;
    }

    /**
     * The network to use; closed with the client. By default all clients of a process share one
     * network with one loop.
     */
    public Builder network(Network newNetwork) {
      network = newNetwork;
      return this;
    }

    /**
     * Gives the client its own TCP network with this number of loops. Without this option, {@link
     * #tcpKeepAlive} and {@link #localAddress} create one with a single loop.
     *
     * @param loops 1 to 64; more than one helps only if one thread cannot read fast enough
     */
    public Builder loops(int loops) {
      tcp().loops(loops);
      return this;
    }

    /**
     * Gives the client its own TCP network, whose idle connections the operating system probes
     * (SO_KEEPALIVE), as some firewalls and NAT devices require. When and how often is a setting of
     * the operating system.
     */
    public Builder tcpKeepAlive() {
      tcp().keepAlive(true);
      return this;
    }

    /**
     * Gives the client its own TCP network, whose connections are opened from this local address
     * instead of one that the operating system chooses. Connecting fails if the machine does not
     * have this address, or if the server cannot be reached from it.
     */
    public Builder localAddress(InetAddress address) {
      tcp().localAddress(address);
      return this;
    }

    private TcpNetwork.Builder tcp() {
      TcpNetwork.Builder options = tcp;
      if (options == null) {
        options = TcpNetwork.builder();
        tcp = options;
      }
      return options;
    }

    private Network network() {
      Network given = network;
      TcpNetwork.Builder options = tcp;
      if (given != null && options != null) {
        throw new IllegalStateException(
            "loops, tcpKeepAlive and localAddress configure a network that"
                + " the client creates; omit them if network() is given one");
      }
      if (given != null) {
        return given;
      }
      return options == null ? TcpNetwork.shared() : options.build();
    }

    /**
     * Looks up host names; the system's name service by default. Answers are cached within the
     * limits of {@link #nameCache}.
     */
    public Builder resolver(Resolver newResolver) {
      resolver = newResolver;
      return this;
    }

    /**
     * Which addresses the client may connect to; {@linkplain AddressPolicy#any() all} by default.
     * For requests through a proxy, the policy is asked about the proxy's addresses only: the proxy
     * resolves the names of origins itself, so the policy cannot protect there.
     */
    public Builder addresses(AddressPolicy policy) {
      addresses = policy;
      return this;
    }

    /** How many host names are cached, and for how long. */
    public Builder nameCache(NameCacheLimits limits) {
      nameCache = limits;
      return this;
    }

    /**
     * The version of HTTP for requests that do not name one. By default TLS negotiates the best
     * version that both sides support, and HTTP/1.1 is used without TLS. With HTTP/2, the client
     * offers only that over TLS, and uses it with prior knowledge without TLS (RFC 9113 section
     * 3.3).
     *
     * @throws IllegalArgumentException if it is HTTP/1.0
     */
    public Builder version(HttpVersion newVersion) {
      if (newVersion == HttpVersion.HTTP_1_0) {
        throw new IllegalArgumentException("a client speaks HTTP/1.1 or HTTP/2, not HTTP/1.0");
      }
      version = newVersion;
      return this;
    }

    /**
     * How large the head of a response may be; the call fails with {@link
     * heddle.http.failure.MessageTooLargeException} if it is larger. A server can make the client
     * hold this much memory for each request in flight.
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
     * section 3.2); off by default. Applies to requests that go through no proxy and for which
     * neither the request nor the client names a version. If the server does not take the offer,
     * the connection speaks HTTP/1.1. If it does, calls to that origin share connections from then
     * on; each call made before the first answer had a connection to itself.
     *
     * <p>It is off because the upgrade is deprecated (RFC 9113 section 3.1) and few servers support
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
     * certificate was not verified, if the client sent a client certificate, if {@link
     * TlsOptions.Builder#context} was given (which may require more of one host than of another),
     * or if it goes through a proxy. The call counts as one of the route whose connection it uses:
     * in that route's limits, in {@link PoolSnapshot}, and in the connection that listeners see.
     *
     * <p>It is off because a certificate may name hosts that the server behind that connection does
     * not serve. A server that notices answers 421 (Misdirected Request): the client then sends the
     * request again at once on a connection to its own origin, whatever the method, if its body is
     * {@linkplain heddle.http.Body#isReplayable() replayable} (RFC 9110 section 15.5.20); otherwise
     * the caller gets the response. That origin does not use connections of that route again as
     * long as the connection lives. A server that does not notice answers for the wrong host.
     *
     * <p>The ORIGIN frame (RFC 8336), by which servers name the origins they serve, is ignored.
     */
    public Builder coalesceOrigins(boolean whether) {
      coalescing = whether;
      return this;
    }

    /** Sends all requests through a proxy; there is none by default. */
    public Builder proxy(Proxy proxy) {
      return proxies(origin -> List.of(proxy));
    }

    /**
     * Which proxies requests go through; none by default. The system's settings are ignored unless
     * {@link ProxySelector#fromSystem} is used.
     *
     * <p>Requests for http origins are sent to an HTTP proxy directly, on connections that all such
     * origins share, so the limits per route apply to the proxy. For https, and for HTTP/2 with
     * prior knowledge, the client opens a tunnel with CONNECT; in it, TLS protects https requests
     * from the proxy too. The connect timeout covers the tunnel.
     */
    public Builder proxies(ProxySelector selector) {
      proxies = selector;
      return this;
    }

    public HttpClient build() {
      return new HttpClient(this);
    }
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
    CallChain steps = chain;
    Deadline inherited = Deadlines.current(network.clock());
    return steps == null
        ? calls.send(request, routes.plan(request), inherited)
        : steps.send(request, inherited, null);
  }

  /**
   * Sends a request as {@link #send(Request)} does, with a listener for this call in addition to
   * the client's listeners.
   *
   * @throws heddle.http.HttpException when the call fails
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   *     and the call is aborted
   */
  public Response send(Request request, ExchangeListener listener) throws IOException {
    CallChain steps = chain;
    Deadline inherited = Deadlines.current(network.clock());
    return steps == null
        ? calls.send(request, routes.plan(request), inherited, listener)
        : steps.send(request, inherited, listener);
  }

  /**
   * Sends a request on a new virtual thread. Cancelling the future, with either flag, aborts the
   * call as an interrupt does; so does completing it early in any other way, such as with {@link
   * CompletableFuture#orTimeout}. The call begins here: its deadline starts now, and listeners are
   * called for its start on the calling thread.
   */
  public CompletableFuture<Response> sendAsync(Request request) {
    CallChain steps = chain;
    Deadline inherited = Deadlines.current(network.clock());
    return AsyncCall.start(
        steps == null
            ? calls.prepare(request, routes.plan(request), inherited)
            : steps.prepare(request, inherited));
  }

  /**
   * Closes the connections that no call has used for this long, without waiting for their idle
   * timeout: for example after a load peak, or before a checkpoint that allows no open connections.
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
