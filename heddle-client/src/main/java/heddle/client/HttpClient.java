package heddle.client;

import heddle.client.call.CallChain;
import heddle.client.call.CallOptions;
import heddle.client.call.Calls;
import heddle.client.call.Timeouts;
import heddle.client.coding.DecodingLimits;
import heddle.client.dial.Dialer;
import heddle.client.pool.ConnectionPool;
import heddle.client.pool.PoolLimits;
import heddle.client.pool.PoolSnapshot;
import heddle.client.route.RoutePlanner;
import heddle.client.spi.AddressPolicy;
import heddle.client.spi.AttemptFields;
import heddle.client.spi.Authenticator;
import heddle.client.spi.CookieStore;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.Interceptor;
import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import heddle.client.spi.RedirectPolicy;
import heddle.client.spi.RetryBudget;
import heddle.client.spi.RetryPolicy;
import heddle.codec.Limits;
import heddle.connection.MinimumRate;
import heddle.http.HeaderName;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.transport.CachingResolver;
import heddle.transport.Deadline;
import heddle.transport.NameCacheLimits;
import heddle.transport.Network;
import heddle.transport.Resolver;
import heddle.transport.tcp.TcpNetwork;
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
 * platform thread. Safe for use by many threads; made once and kept.
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

  /** The steps between callers and calls; null where there are none. */
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
        timeouts.connect(),
        timeouts.tls(),
        timeouts.settings(),
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

  /** What a client is made with. Not safe for use by several threads. */
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

    /** What a TCP network of the client's own is made with; null where nothing asks for one. */
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

    /** How many connections there may be and who may wait for them. */
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
     * How fast the content of a response must come; there is no limit by default. Only the time
     * counts in which the client waits for the server, not the time in which a body is not read. A
     * server that was fast may fall behind for up to a minute. A response that is slower fails with
     * a {@link heddle.http.failure.SlowResponseException}.
     *
     * @param bytesPerSecond 0 for no limit
     * @param grace how long the server may be waited for before the rate counts; the client looks
     *     for the first time when this has passed, so it may become twice as long
     * @throws IllegalArgumentException if the rate is negative, or the grace is not positive
     *     although there is a rate
     */
    public Builder minResponseRate(int bytesPerSecond, Duration grace) {
      options.minResponseRate(new MinimumRate(bytesPerSecond, grace));
      return this;
    }

    /**
     * When a request is sent again; what is {@linkplain RetryPolicy#provablySafe() provably safe}
     * by default.
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
     * A step of each call, outside of all that the client does itself; may be called several times
     * for several, of which the first is the outermost. Calls of clients without steps of any kind
     * go straight to the connections.
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
     * Sends the cookies of a store with each request, redirects included, and keeps there what
     * responses set; by default nobody does. A request with a Cookie field of its own is sent as it
     * is. The module {@code heddle-cookies} has a store that follows RFC 6265.
     */
    public Builder cookies(CookieStore store) {
      steps.cookies = store;
      return this;
    }

    /**
     * Asks for gzip and deflate where a request does not say what it accepts, and undoes them while
     * the response is read: see {@link heddle.client.coding.ContentCodings}. By default nothing is
     * asked for.
     *
     * @param limits how far content may grow, such as {@link DecodingLimits#DEFAULTS}
     */
    public Builder contentCodings(DecodingLimits limits) {
      steps.decoding = limits;
      return this;
    }

    /**
     * Knows credentials for those who refuse requests for want of them, origins and HTTP proxies;
     * may be called several times for several, which are asked one after the other.
     */
    public Builder authenticator(Authenticator authenticator) {
      steps.authenticators.add(authenticator);
      return this;
    }

    /**
     * Adds fields to each attempt of a request, such as {@code traceparent}; called after {@link
     * ExchangeListener#attemptStarted}. May be called several times for several: where two set the
     * same field, the later one does.
     */
    public Builder attemptFields(AttemptFields fields) {
      options.fields(fields);
      return this;
    }

    /**
     * Tells servers in this field how many milliseconds a call has left when its request is sent,
     * so that they need not work on what nobody will wait for.
     *
     * @throws IllegalArgumentException if it is a field with a meaning of its own for a message
     */
    public Builder deadlineHeader(HeaderName name) {
      if (FRAMING.contains(name)) {
        throw new IllegalArgumentException(
            "deadlineHeader must be a field of the application's own, not " + name);
      }
      options.deadlineHeader(name);
      return this;
    }

    /**
     * Has requests with much content expect 100 (Continue), as {@link
     * Request.Builder#expectContinue} does for one: those whose content has so many bytes or more,
     * or a length that is not known. None do by default, nor does one with an Expect field of its
     * own. How long content waits is in {@link Timeouts#expectContinue}.
     *
     * @param bytes at least 1
     * @throws IllegalArgumentException if it is less
     */
    public Builder expectContinueFrom(long bytes) {
      if (bytes < 1) {
        throw new IllegalArgumentException(
            "expectContinueFrom must be 1 byte or more, not " + bytes + ": 1 is for all content");
      }
      options.expectContinueFrom(bytes);
      return this;
    }

    /**
     * After which responses their connection is closed instead of being used again; after none by
     * default, but where the protocol says so. A server behind a balancer that fails is left this
     * way: the next request goes over another connection, and perhaps to another server. Those of
     * HTTP/2 stay, as other calls use them.
     *
     * @param which asked on the thread of the call about each response; what it throws, the call
     *     throws
     */
    public Builder closeConnectionsAfter(Predicate<Status> which) {
      options.closesAfter(which);
      return this;
    }

    /**
     * The network to use; closed with the client. By default all clients of a process share one
     * with one loop.
     */
    public Builder network(Network newNetwork) {
      network = newNetwork;
      return this;
    }

    /**
     * A TCP network of the client's own with so many loops; with one, where only {@link
     * #tcpKeepAlive} or {@link #localAddress} ask for a network of its own.
     *
     * @param loops 1 to 64; more than one only where one thread cannot read fast enough
     */
    public Builder loops(int loops) {
      tcp().loops(loops);
      return this;
    }

    /**
     * A TCP network of the client's own, whose connections the system probes while nothing is sent
     * on them (SO_KEEPALIVE), as devices on the way may ask for. When and how often is the system's
     * own setting.
     */
    public Builder tcpKeepAlive() {
      tcp().keepAlive(true);
      return this;
    }

    /**
     * A TCP network of the client's own, whose connections are opened from this address of the
     * machine rather than from one that the system chooses. Where it is none of the machine's, or
     * cannot reach a server, connecting fails.
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
        throw new IllegalStateException("loops, tcpKeepAlive and localAddress make a network of the"
            + " client's own; leave them away where network() gives it one");
      }
      if (given != null) {
        return given;
      }
      return options == null ? TcpNetwork.shared() : options.build();
    }

    /**
     * Looks host names up; the system's name service by default. What it answers is remembered
     * within the limits of {@link #nameCache}.
     */
    public Builder resolver(Resolver newResolver) {
      resolver = newResolver;
      return this;
    }

    /**
     * Which addresses are connected to; {@linkplain AddressPolicy#any() all} by default. Of what
     * goes through a proxy only the proxy's are asked about: it resolves names itself, so a policy
     * cannot protect there.
     */
    public Builder addresses(AddressPolicy policy) {
      addresses = policy;
      return this;
    }

    /** How many looked-up names are remembered, and for how long. */
    public Builder nameCache(NameCacheLimits limits) {
      nameCache = limits;
      return this;
    }

    /**
     * The version of HTTP for requests that name none of their own. By default, TLS finds the best
     * one that both sides know, and HTTP/1.1 is spoken without TLS. HTTP/2 alone is offered, or
     * spoken without asking where there is no TLS (RFC 9113 section 3.3), when it is given here.
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
     * How large the head of a response may be, which is refused with {@link
     * heddle.http.failure.MessageTooLargeException} beyond that. A server can have a client keep as
     * much as this for each request in flight.
     *
     * @param bytes of the head; 64 KiB by default, at least 64
     * @param fields in it; 200 by default, at least 1
     * @throws IllegalArgumentException if one of them is less
     */
    public Builder maxResponseHead(int bytes, int fields) {
      heads = Limits.DEFAULTS.withMaxHeadBytes(bytes).withMaxFields(fields);
      return this;
    }

    /**
     * Whether connections in cleartext offer HTTP/2 to their servers with the first request (RFC
     * 7540 section 3.2); they do not by default. It holds for requests without a version, of their
     * own or of the client, that go through no proxy. Where the server does not take the offer,
     * HTTP/1.1 is spoken as without it; where it does, the calls of that origin share connections
     * from then on. Those that came before the first answer had each a connection of their own.
     *
     * <p>It is off because the upgrade is deprecated (RFC 9113 section 3.1) and few servers know
     * it; who knows that the server speaks HTTP/2 gives the {@link #version}.
     */
    public Builder upgradeToH2c(boolean whether) {
      upgrading = whether;
      return this;
    }

    /**
     * Whom to trust and who to be for https; by default, those whom the JDK trusts, and nobody.
     * Clients that are given the same options resume each other's TLS sessions.
     */
    public Builder tls(TlsOptions options) {
      tls = options;
      return this;
    }

    /**
     * Whether a call may use an open HTTP/2 connection of another origin (RFC 9113 section 9.1.1);
     * it may not by default. It saves connections and handshakes where one server has many names.
     *
     * <p>A call does so in its first attempt, for https, while its own route has no connection. Its
     * host must resolve to the very address of that connection, on the same port, and the
     * certificate shown there must name the host (RFC 9525: a wildcard as the whole left-most
     * label, an address for an address, no common name). Connections do not qualify whose
     * certificate was not verified, for which the client has shown one of its own, or whose {@link
     * TlsOptions.Builder#context} was given, because that may ask more of one host than of another;
     * nor do those through proxies.
     * The call counts as one of the route whose connection it uses: in that route's limits, in
     * {@link PoolSnapshot}, and in what listeners are told of the connection.
     *
     * <p>It is off because a certificate may name hosts that the server behind that connection does
     * not serve. A server that knows says 421 (Misdirected Request): the request is sent again at
     * once on a connection of its own origin, whatever its method is, if its body can be produced
     * {@linkplain heddle.http.Body#isReplayable() again} (RFC 9110 section 15.5.20); the caller
     * gets the response otherwise. That origin does not use connections of that route again while
     * that one lives. A server that does not know answers for the wrong host.
     *
     * <p>The ORIGIN frame (RFC 8336), by which servers name the origins they serve, is ignored.
     */
    public Builder coalesceOrigins(boolean whether) {
      coalescing = whether;
      return this;
    }

    /** Sends all requests through a proxy; none by default. As {@link #proxies} with one answer. */
    public Builder proxy(Proxy proxy) {
      return proxies(origin -> List.of(proxy));
    }

    /**
     * Through which proxy requests go; through none by default, whatever the system's settings say
     * ({@link heddle.client.proxy.Proxies#fromSystem} reads these).
     *
     * <p>An HTTP proxy is sent requests for http origins as they are, on connections which all such
     * origins share, so that the limits for a route are those for the proxy. For https, and HTTP/2
     * with prior knowledge, it is asked for a tunnel by CONNECT, in which TLS protects the request
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
   * Sends a request and waits for the head of the response; small bodies are there with it. The
   * response's body is to be read to its end or closed.
   *
   * @throws heddle.http.HttpException when the call fails: what was tried, how far it came, and
   *     whether the request was sent
   * @throws java.io.InterruptedIOException when the thread is interrupted; its flag is set again
   *     and the call is aborted
   * @throws IOException when a step of the call throws one
   */
  public Response send(Request request) throws IOException {
    CallChain steps = chain;
    Deadline inherited = Deadlines.current(network.clock());
    return steps == null
        ? calls.send(request, routes.plan(request), inherited)
        : steps.send(request, inherited, null);
  }

  /**
   * Sends a request as {@link #send(Request)} does, with somebody who looks on at this call alone,
   * beside those who look on at all calls of the client.
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
   * Sends a request on a virtual thread of its own. Cancelling the future, with either flag, aborts
   * the call as an interrupt does, and so does whatever else completes it before, such as {@link
   * CompletableFuture#orTimeout}. The call begins here: its deadline runs from now on, and
   * listeners are told of its start on the calling thread.
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
   * Closes the connections that no call has used for so long, without waiting for their idle
   * timeout: after a load that will not come again, or before something for which none may be left
   * open.
   *
   * @param unused nothing or more; with nothing, all connections that no call uses now are closed
   * @return how many that were
   * @throws IllegalArgumentException if it is negative
   */
  public int closeIdle(Duration unused) {
    if (unused.isNegative()) {
      throw new IllegalArgumentException("unused must be nothing or more, not " + unused);
    }
    return pool.closeIdle(TimeUnit.NANOSECONDS.convert(unused));
  }

  /** The connections now. */
  public PoolSnapshot pool() {
    return pool.snapshot();
  }

  /**
   * Takes no more calls, waits for those under way at most the close timeout, and aborts what is
   * left then. Calls that wait for a connection, at once, and those that are aborted fail with
   * {@link heddle.http.failure.ClientClosedException}, and so does reading the body of a response.
   * An interrupt ends the waiting. Idempotent.
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
      // The time is up or the thread was interrupted: the rest is cut short.
      pool.abort();
      calls.abort();
    }
    network.close();
  }
}
