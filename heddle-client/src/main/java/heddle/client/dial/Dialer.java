package heddle.client.dial;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Connector;
import heddle.client.route.Route;
import heddle.client.spi.AddressPolicy;
import heddle.codec.Limits;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.negotiate.ProtocolNegotiator;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.failure.AddressRefusedException;
import heddle.http.failure.ConnectFailedException;
import heddle.transport.Channel;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.ResolvedHost;
import heddle.transport.Resolver;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.TlsProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens a connection: looks the name up, connects to the first of its addresses that answers,
 * protects that channel with TLS for https, and leaves it to the negotiator which version of HTTP
 * is spoken.
 */
public final class Dialer implements Connector, AutoCloseable {
  private final Network network;
  private final Resolver resolver;
  private final TlsProvider tls;
  private final Duration connectTimeout;
  private final Duration tlsTimeout;
  private final Duration settingsTimeout;
  private final Limits limits;
  private final HappyEyeballs eyeballs;
  private final AddressBook book = new AddressBook();
  private final ProtocolNegotiator negotiator = new ProtocolNegotiator();

  private volatile @Nullable AddressWatch watch;
  private volatile AddressPolicy policy = AddressPolicy.any();

  /**
   * @param connectTimeout for all addresses of a name together
   * @param tlsTimeout for the handshake
   * @param settingsTimeout for the acknowledgement of our SETTINGS, where HTTP/2 is spoken
   */
  public Dialer(
      Network network,
      Resolver resolver,
      TlsProvider tls,
      Duration connectTimeout,
      Duration tlsTimeout,
      Duration settingsTimeout,
      Limits limits) {
    this.network = network;
    this.eyeballs = new HappyEyeballs(network);
    this.resolver = resolver;
    this.tls = tls;
    this.connectTimeout = connectTimeout;
    this.tlsTimeout = tlsTimeout;
    this.settingsTimeout = settingsTimeout;
    this.limits = limits;
  }

  /**
   * Keeps an eye on the hosts of a pool's connections: they are looked up again from time to time,
   * and connections to addresses that a host no longer has are drained. To be called once, before
   * the first connection is opened.
   */
  public void watch(ConnectionPool pool) {
    watch = new AddressWatch(resolver, book, pool, network.loop());
  }

  /** Lets connections be opened to some addresses alone; before that, to all. */
  public void allow(AddressPolicy addresses) {
    policy = addresses;
  }

  /** Looks no host up any more, but for connections still to be opened. Idempotent. */
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
    RouteStep step = RouteStep.of(route);
    List<InetAddress> addresses = resolve(step, exchange);
    exchange.resolved(step.host(), addresses);
    exchange.enter(Phase.CONNECT);
    Channel reached = reach(addresses, step.port(), exchange);
    exchange.connected(reached.remoteAddress());
    Channel channel =
        switch (step) {
          case RouteStep.Direct _ -> reached;
        };
    if (route.origin().isSecure()) {
      exchange.enter(Phase.TLS);
      SecureChannel secure = protect(channel, route, exchange);
      exchange.secured(secure);
      channel = secure;
    }
    AddressWatch watching = watch;
    if (watching != null) {
      watching.wake();
    }
    return negotiator.start(channel, route.version(), limits, settingsTimeout, listener);
  }

  private SecureChannel protect(Channel channel, Route route, Exchange exchange)
      throws IOException {
    Origin origin = route.origin();
    Deadline limit = Deadline.after(tlsTimeout, network.clock());
    List<String> offers = ProtocolNegotiator.offers(route.version());
    try {
      SecureChannel secure = tls.connect(
          channel, origin.host(), origin.port(), offers, exchange.deadline().earlier(limit));
      if (secure.applicationProtocol() == null && route.version() == HttpVersion.HTTP_2) {
        secure.close();
        // RFC 9113 §3.2: who does not agree by ALPN does not speak HTTP/2.
        throw new TlsHandshakeException(
            TlsHandshakeException.Reason.NO_COMMON_PROTOCOL,
            "TLS with %s succeeded, but the server did not agree to h2, which alone was offered"
                .formatted(origin.authority()),
            null);
      }
      String weakness = ProtocolNegotiator.weakness(secure);
      if (weakness != null) {
        ProtocolNegotiator.refuse(secure, weakness);
        throw new TlsHandshakeException(
            TlsHandshakeException.Reason.NO_COMMON_CIPHER,
            "TLS with %s chose %s (RFC 9113 appendix A): allow both sides a better one"
                .formatted(origin.authority(), weakness),
            null);
      }
      return secure;
    } catch (DeadlinePassedException e) {
      if (exchange.deadline().isPast(network.clock())) {
        throw Failures.explain(e, exchange.point());
      }
      throw new ConnectFailedException(
          "the TLS handshake was not finished in time; Timeouts.tls allows %d ms"
              .formatted(tlsTimeout.toMillis()),
          exchange.point(),
          e);
    } catch (IOException e) {
      throw Failures.explain(e, exchange.point());
    }
  }

  /** The addresses to try, in order. */
  private List<InetAddress> resolve(RouteStep step, Exchange exchange) throws IOException {
    exchange.enter(Phase.RESOLVE);
    try {
      ResolvedHost answer = resolver.lookUp(step.host(), exchange.deadline());
      return allowed(step.host(), book.arrange(step.host(), answer), exchange);
    } catch (IOException e) {
      throw Failures.explain(e, exchange.point());
    }
  }

  /** The addresses that the policy allows, which are those that are connected to. */
  private List<InetAddress> allowed(String host, List<InetAddress> found, Exchange exchange)
      throws AddressRefusedException {
    AddressPolicy asked = policy;
    List<InetAddress> allowed =
        found.stream().filter(each -> asked.allows(host, each)).toList();
    if (allowed.isEmpty()) {
      throw new AddressRefusedException(
          "the client's AddressPolicy allows none of the %d addresses that %s has"
              .formatted(found.size(), host),
          exchange.point());
    }
    return allowed;
  }

  private Channel reach(List<InetAddress> addresses, int port, Exchange exchange)
      throws IOException {
    List<InetSocketAddress> targets =
        addresses.stream().map(each -> new InetSocketAddress(each, port)).toList();
    Deadline limit = Deadline.after(connectTimeout, network.clock());
    try {
      return eyeballs.connect(targets, exchange.deadline().earlier(limit));
    } catch (NotConnectedException e) {
      if (exchange.deadline().isPast(network.clock())) {
        IOException passed = new DeadlinePassedException("the call's deadline passed");
        passed.addSuppressed(e);
        throw Failures.explain(passed, exchange.point());
      }
      String advice = e.isOutOfTime()
          ? "; Timeouts.connect allows %d ms for all addresses".formatted(connectTimeout.toMillis())
          : "";
      throw new ConnectFailedException(
          "cannot connect: " + e.getMessage() + advice, exchange.point(), e);
    }
  }
}
