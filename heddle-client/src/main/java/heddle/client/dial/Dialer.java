package heddle.client.dial;

import heddle.client.pool.Connector;
import heddle.client.route.Route;
import heddle.codec.Limits;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.negotiate.ProtocolNegotiator;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.failure.ConnectFailedException;
import heddle.transport.Channel;
import heddle.transport.Deadline;
import heddle.transport.DeadlinePassedException;
import heddle.transport.Network;
import heddle.transport.Resolver;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.TlsProvider;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * Opens a connection: looks the name up, tries its addresses one after the other, protects the
 * channel with TLS for https, and leaves it to the negotiator which version of HTTP is spoken.
 */
public final class Dialer implements Connector {
  private final Network network;
  private final Resolver resolver;
  private final TlsProvider tls;
  private final Duration connectTimeout;
  private final Duration tlsTimeout;
  private final Duration settingsTimeout;
  private final Limits limits;
  private final ProtocolNegotiator negotiator = new ProtocolNegotiator();

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
    this.resolver = resolver;
    this.tls = tls;
    this.connectTimeout = connectTimeout;
    this.tlsTimeout = tlsTimeout;
    this.settingsTimeout = settingsTimeout;
    this.limits = limits;
  }

  @Override
  public Connection connect(Route route, Exchange exchange, ConnectionListener listener)
      throws IOException {
    List<InetAddress> addresses = resolve(route, exchange);
    exchange.enter(Phase.CONNECT);
    Channel channel = connectToAny(addresses, route.origin().port(), exchange);
    if (route.origin().isSecure()) {
      exchange.enter(Phase.TLS);
      channel = protect(channel, route, exchange);
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

  private List<InetAddress> resolve(Route route, Exchange exchange) throws IOException {
    exchange.enter(Phase.RESOLVE);
    try {
      return resolver.resolve(route.origin().host(), exchange.deadline());
    } catch (IOException e) {
      throw Failures.explain(e, exchange.point());
    }
  }

  private Channel connectToAny(List<InetAddress> addresses, int port, Exchange exchange)
      throws IOException {
    Deadline deadline =
        exchange.deadline().earlier(Deadline.after(connectTimeout, network.clock()));
    IOException failure = null;
    for (int i = 0; i < addresses.size(); i++) {
      InetSocketAddress address = new InetSocketAddress(addresses.get(i), port);
      try {
        return network.connect(address, share(deadline, addresses.size() - i));
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        IOException told = new IOException(address + ": " + reason(e), e);
        if (failure == null) {
          failure = told;
        } else {
          failure.addSuppressed(told);
        }
      }
    }
    IOException reason = failure == null ? new IOException("the host has no address") : failure;
    if (exchange.deadline().isPast(network.clock())) {
      IOException passed = new DeadlinePassedException("the call's deadline passed");
      passed.addSuppressed(reason);
      reason = passed;
    }
    throw Failures.explain(reason, exchange.point());
  }

  private String reason(IOException e) {
    return e instanceof DeadlinePassedException
        ? "no answer in time; Timeouts.connect allows %d ms for all addresses"
            .formatted(connectTimeout.toMillis())
        : String.valueOf(e.getMessage());
  }

  /** An address that does not answer leaves time for those after it. */
  private Deadline share(Deadline deadline, int addressesLeft) {
    if (deadline.isNever() || addressesLeft == 1) {
      return deadline;
    }
    long part = deadline.remainingNanos(network.clock()) / addressesLeft;
    return new Deadline(network.clock().nanoTime() + part);
  }
}
