package heddle.client.dial;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Connector;
import heddle.client.settings.AddressPolicy;
import heddle.client.settings.Timeouts;
import heddle.client.spi.Authenticator;
import heddle.client.spi.Proxy;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.negotiate.ProtocolNegotiator;
import heddle.http.HttpException;
import heddle.http.HttpVersion;
import heddle.http.Limits;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.failure.AddressRefusedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.ProxyException;
import heddle.http.failure.TlsException;
import heddle.http.failure.TooManyOpenFilesException;
import heddle.http.failure.UnresolvedHostException;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Descriptors;
import heddle.transport.Network;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.TlsProvider;
import heddle.transport.names.Resolver;
import heddle.transport.names.Resolver.ResolvedHost;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection: looks up the host, connects to the first of its addresses that answers, opens
 * a tunnel if the route leads through a proxy, performs the TLS handshake for https, and passes the
 * channel to the negotiator, which chooses the version of HTTP.
 */
public final class Dialer implements Connector, AutoCloseable {
  private final Network network;
  private final Resolver resolver;
  private final TlsProvider tls;
  private final Timeouts timeouts;
  private final Limits limits;
  private final HappyEyeballs eyeballs;
  private final AddressBook book = new AddressBook();
  private final ProtocolNegotiator negotiator = new ProtocolNegotiator();
  private final ProxyCredentials credentials;
  private final ProxyTunnel tunnels;
  private final FailedProxies failedProxies;

  private volatile @Nullable AddressWatch watch;
  private volatile AddressPolicy policy = AddressPolicy.any();
  private volatile boolean upgrading;

  /**
   * @param timeouts whose {@code connect} is for all addresses of a host together, including the
   *     handshake with a proxy
   * @param authenticators asked in order for credentials for HTTP proxies, after those that the
   *     {@link Proxy} itself holds
   */
  public Dialer(
      Network network,
      Resolver resolver,
      TlsProvider tls,
      Timeouts timeouts,
      Limits limits,
      List<Authenticator> authenticators) {
    this.network = network;
    this.eyeballs = new HappyEyeballs(network);
    this.resolver = resolver;
    this.tls = tls;
    this.timeouts = timeouts;
    this.limits = limits;
    this.credentials = new ProxyCredentials(authenticators);
    this.tunnels = new ProxyTunnel(tls, limits, credentials, network.clock(), timeouts.connect());
    this.failedProxies = new FailedProxies(network.clock());
  }

  /** Starts an {@link AddressWatch}; to be called once, before the first connection is opened. */
  public void watch(ConnectionPool pool) {
    watch = new AddressWatch(resolver, book, pool, network.loop());
  }

  /** Restricts the addresses to which connections are opened; without a policy, all are allowed. */
  public void allow(AddressPolicy addresses) {
    policy = addresses;
  }

  /** Makes cleartext connections offer HTTP/2 to servers. */
  public void upgradeToH2c() {
    upgrading = true;
  }

  /** Stops watching hosts; connections can still be opened. Idempotent. */
  @Override
  public void close() {
    AddressWatch watching = watch;
    if (watching != null) {
      watching.close();
    }
  }

  @Override
  public Connection connect(Route route, Exchange exchange, ConnectionListener listener)
      throws IOException {
    List<RouteStep> steps = RouteStep.of(route);
    ConnectionListener hinted = route.version() == null ? listener : null;
    Reached reached = steps.size() == 1
        ? reach(steps.getFirst(), exchange, hinted)
        : reachAny(steps, exchange, hinted);
    try {
      return connect(reached, route, exchange, listener);
    } catch (IOException | RuntimeException | Error e) {
      reached.channel().close();
      throw e;
    }
  }

  private Connection connect(
      Reached reached, Route route, Exchange exchange, ConnectionListener listener)
      throws IOException {
    Channel channel = reached.channel();
    exchange.connected(channel.remoteAddress());
    if (route.origin().isSecure()) {
      exchange.enter(Phase.TLS);
      SecureChannel secure = protect(channel, route, reached.step(), exchange);
      exchange.secured(secure);
      channel = secure;
    }
    AddressWatch watching = watch;
    if (watching != null) {
      watching.wake();
    }
    Proxy proxy = reached.step().proxy();
    return switch (reached.step().kind()) {
      case DIRECT ->
        upgrading && !route.origin().isSecure() && route.version() == null
            ? negotiator.startUpgradable(channel, limits, timeouts.settings(), listener)
            : start(channel, route, listener);
      case FORWARD ->
        new ProxiedConnection(
            negotiator.startForwarded(channel, limits, listener),
            proxy,
            credentials.authenticatorsFor(proxy),
            network.clock());
      case TUNNEL, SOCKS ->
        new ProxiedConnection(start(channel, route, listener), proxy, null, network.clock());
    };
  }

  private Connection start(Channel channel, Route route, ConnectionListener listener) {
    return negotiator.start(channel, route.version(), limits, timeouts.settings(), listener);
  }

  /** A channel on which HTTP can be spoken to the origin, or to a proxy that forwards requests. */
  private record Reached(RouteStep step, Channel channel) {}

  /**
   * Reaches the origin by the first step that works. If one fails, nothing of the request was sent,
   * so the next is tried, unless a proxy has refused: its answer is final.
   */
  private Reached reachAny(
      List<RouteStep> steps, Exchange exchange, @Nullable ConnectionListener hinted)
      throws IOException {
    HttpException earlier = null;
    for (RouteStep step : failedProxies.order(steps)) {
      try {
        Reached reached = reach(step, exchange, hinted);
        failedProxies.succeeded(step);
        return reached;
      } catch (HttpException e) {
        if (earlier != null) {
          e.addSuppressed(earlier);
        }
        if (!mayTryNext(e)) {
          throw e;
        }
        failedProxies.failed(step);
        earlier = e;
      }
    }
    if (earlier == null) {
      throw new IllegalStateException("a route has at least one step");
    }
    throw earlier;
  }

  private static boolean mayTryNext(HttpException failure) {
    return switch (failure) {
      case DeadlineExceededException unused -> false;
      case TooManyOpenFilesException unused -> false;
      // Trying another proxy would circumvent the policy.
      case AddressRefusedException unused -> false;
      case ProxyException refusal -> refusal.reason() == ProxyException.Reason.MALFORMED;
      default -> true;
    };
  }

  /**
   * @param hinted gets what the name service says about versions; null if that is of no use
   */
  private Reached reach(RouteStep step, Exchange exchange, @Nullable ConnectionListener hinted)
      throws IOException {
    List<InetAddress> addresses = resolve(step, exchange, hinted);
    exchange.resolved(step.host(), addresses);
    exchange.enter(Phase.CONNECT);
    Deadline limit =
        exchange.deadline().earlier(Deadline.after(timeouts.connect(), network.clock()));
    ProxyTunnel.Handshake handshake = tunnels.new Handshake(step, exchange, limit);
    Channel opened = null;
    while (opened == null) {
      Channel dialled = connect(addresses, step, exchange, handshake.limit());
      SocketAddress peer = dialled.remoteAddress();
      opened = handshake.open(dialled);
      if (opened == null) {
        exchange.connected(peer); // The proxy has closed it after its challenge; the next follows.
      }
    }
    return new Reached(step, opened);
  }

  private SecureChannel protect(Channel channel, Route route, RouteStep step, Exchange exchange)
      throws IOException {
    Origin origin = route.origin();
    Deadline limit = Deadline.after(timeouts.tls(), network.clock());
    List<String> offers = ProtocolNegotiator.offers(route.version());
    try {
      SecureChannel secure = tls.connect(
          channel, origin.host(), origin.port(), offers, exchange.deadline().earlier(limit));
      refuseOtherThan(route, secure);
      return secure;
    } catch (DeadlinePassedException e) {
      if (exchange.deadline().isPast(network.clock())) {
        throw Failures.explain(e, exchange.point());
      }
      throw HttpException.advise(
          new ConnectFailedException(
              "the TLS handshake%s was not finished in time".formatted(step.way()),
              exchange.point(),
              e),
          "; Timeouts.tls allows %d ms".formatted(timeouts.tls().toMillis()));
    } catch (TlsHandshakeException e) {
      TlsHandshakeException named = step.way().isEmpty()
          ? e
          : new TlsHandshakeException(e.reason(), e.getMessage() + step.way(), e);
      throw Failures.explain(named, exchange.point());
    } catch (IOException e) {
      throw Failures.explain(e, exchange.point());
    }
  }

  /** Closes the channel if the handshake settled on something that HTTP/2 does not allow. */
  private static void refuseOtherThan(Route route, SecureChannel secure)
      throws TlsHandshakeException {
    if (secure.applicationProtocol() == null && route.version() == HttpVersion.HTTP_2) {
      secure.close();
      // RFC 9113 §3.2: HTTP/2 over TLS requires ALPN.
      throw new TlsHandshakeException(
          TlsException.Reason.NO_COMMON_PROTOCOL,
          "TLS with %s succeeded, but the server did not agree to h2, which alone was offered"
              .formatted(route.origin().authority()),
          null);
    }
    String weakness = ProtocolNegotiator.weakness(secure);
    if (weakness != null) {
      ProtocolNegotiator.refuse(secure, weakness);
      throw new TlsHandshakeException(
          TlsException.Reason.NO_COMMON_CIPHER,
          "TLS with %s chose %s (RFC 9113 appendix A): allow both sides a better one"
              .formatted(route.origin().authority(), weakness),
          null);
    }
  }

  /** The addresses to try, in order: those that the policy allows, at least one. */
  private List<InetAddress> resolve(
      RouteStep step, Exchange exchange, @Nullable ConnectionListener hinted) throws IOException {
    exchange.resolving(step.host());
    try {
      ResolvedHost answer = resolver.lookUp(step.host(), exchange.deadline());
      List<InetAddress> found = book.arrange(step.host(), answer);
      AddressPolicy asked = policy;
      List<InetAddress> allowed =
          found.stream().filter(each -> asked.allows(step.host(), each)).toList();
      if (allowed.isEmpty()) {
        throw new AddressRefusedException(
            "the client's AddressPolicy allows none of the %d addresses that %s has"
                .formatted(found.size(), step.host()),
            exchange.point());
      }
      if (hinted != null && step.speaksOnly(HttpVersion.HTTP_1_1, answer.versions())) {
        hinted.expectHttp11();
      }
      return allowed;
    } catch (IOException e) {
      if (Descriptors.areExhausted(e)) {
        throw tooManyOpenFiles("look up the host " + step.host(), exchange, e);
      }
      if (e instanceof UnknownHostException && !step.isDirect()) {
        throw HttpException.advise(
            new UnresolvedHostException(String.valueOf(e.getMessage()), exchange.point(), e),
            "; check the host of the proxy " + step.proxy());
      }
      throw Failures.explain(e, exchange.point());
    }
  }

  private static TooManyOpenFilesException tooManyOpenFiles(
      String what, Exchange exchange, IOException cause) {
    return HttpException.advise(
        new TooManyOpenFilesException(
            "cannot " + what + ": this process has too many open files; " + Descriptors.advice(),
            exchange.point(),
            cause),
        ", or give the client fewer connections (PoolLimits.maxTotal)");
  }

  private Channel connect(
      List<InetAddress> addresses, RouteStep step, Exchange exchange, Deadline limit)
      throws IOException {
    List<InetSocketAddress> targets =
        addresses.stream().map(each -> new InetSocketAddress(each, step.port())).toList();
    try {
      return eyeballs.connect(targets, limit);
    } catch (NotConnectedException e) {
      if (exchange.deadline().isPast(network.clock())) {
        IOException passed = new DeadlinePassedException("the call's deadline passed");
        passed.addSuppressed(e);
        throw Failures.explain(passed, exchange.point());
      }
      if (Descriptors.areExhausted(e)) {
        throw tooManyOpenFiles("open a socket", exchange, e);
      }
      String advice = e.isOutOfTime()
          ? "; Timeouts.connect allows %d ms for all addresses"
              .formatted(timeouts.connect().toMillis())
          : "";
      String whom = step.isDirect() ? "" : " to the proxy " + step.proxy();
      throw HttpException.advise(
          new ConnectFailedException(
              "cannot connect%s: %s".formatted(whom, e.getMessage()), exchange.point(), e),
          advice);
    }
  }
}
