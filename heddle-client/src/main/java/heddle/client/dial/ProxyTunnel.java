package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.codec.socks.SocksException;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.negotiate.ProtocolNegotiator;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Limits;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Status;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ProxyException;
import heddle.transport.Channel;
import heddle.transport.DeadlinePassedException;
import heddle.transport.TlsHandshakeException;
import heddle.transport.TlsProvider;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Performs handshakes with proxies: TLS for an HTTPS proxy, and CONNECT or SOCKS unless the proxy
 * forwards requests. Safe for use by many threads.
 */
final class ProxyTunnel {
  private final TlsProvider tls;
  private final Limits limits;
  private final ProxyCredentials credentials;
  private final Clock clock;
  private final Duration connectTimeout;

  /**
   * @param connectTimeout from which the caller computes the deadlines, for messages
   */
  ProxyTunnel(
      TlsProvider tls,
      Limits limits,
      ProxyCredentials credentials,
      Clock clock,
      Duration connectTimeout) {
    this.tls = tls;
    this.limits = limits;
    this.credentials = credentials;
    this.clock = clock;
    this.connectTimeout = connectTimeout;
  }

  /**
   * A handshake with a proxy, for one call.
   *
   * @param limit deadline of the handshake, which is extended by the time that authenticators take
   */
  Handshake handshake(RouteStep.Through step, Exchange exchange, Deadline limit) {
    return new Handshake(step, exchange, limit);
  }

  /** A handshake on one channel, or on several in turn. Used by one thread. */
  final class Handshake {
    private final RouteStep.Through step;
    private final Exchange exchange;
    private final Deadline limit;

    /** The authentication with the proxy; null before the first CONNECT. */
    private @Nullable ProxyAuthentication shown;

    private Handshake(RouteStep.Through step, Exchange exchange, Deadline limit) {
      this.step = step;
      this.exchange = exchange;
      this.limit = limit;
    }

    /** The deadline of the handshake. */
    Deadline limit() {
      ProxyAuthentication asked = shown;
      return asked == null ? limit : asked.extended(limit);
    }

    /**
     * Performs the handshake; parks the calling thread meanwhile.
     *
     * @param channel to the proxy, just opened; closed if this fails
     * @return null if the proxy has asked for credentials and closed the channel: the handshake on
     *     the next channel will send them
     */
    @Nullable
    Channel open(Channel channel) throws IOException {
      Proxy proxy = step.proxy();
      Channel opened = null;
      try {
        Channel reached = proxy.kind() == Proxy.Kind.HTTPS ? protect(channel) : channel;
        opened = switch (step) {
          case RouteStep.Forward _ -> reached;
          case RouteStep.Tunnel tunnel -> connect(reached, tunnel);
          case RouteStep.Socks socks -> {
            ProxyChannel talking = ProxyChannel.over(reached);
            SocksDialogue.ask(talking, proxy, socks.origin(), limit);
            yield talking;
          }
        };
        return opened;
      } catch (SocksException e) {
        throw explain(e, step, exchange);
      } catch (ProtocolException e) {
        throw explain(e, proxy, exchange);
      } catch (InterruptedIOException | ProxyException e) {
        throw e;
      } catch (IOException e) {
        throw explain(e, proxy, exchange);
      } finally {
        if (opened == null) {
          channel.close();
        }
      }
    }

    private Channel protect(Channel channel) throws IOException {
      Proxy proxy = step.proxy();
      try {
        return tls.connect(
            channel,
            proxy.host(),
            proxy.port(),
            ProtocolNegotiator.offers(HttpVersion.HTTP_1_1),
            limit());
      } catch (TlsHandshakeException e) {
        throw new TlsHandshakeException(
            e.reason(), e.getMessage() + "; that is the proxy, not the origin", e);
      }
    }

    private @Nullable Channel connect(Channel channel, RouteStep.Tunnel tunnel)
        throws IOException, ProtocolException {
      ProxyAuthentication asking = authentication(tunnel);
      ProxyChannel talking = ProxyChannel.over(channel);
      ConnectDialogue dialogue = new ConnectDialogue(talking, tunnel.origin().authority(), limits);
      while (true) {
        Headers fields = asking.dressed().headers();
        ProxyException.Answer answer = dialogue.ask(fields, limit());
        if (answer == null) {
          return talking;
        }
        boolean asks = answer.status().equals(Status.PROXY_AUTHENTICATION_REQUIRED);
        if (!asks || !asking.hasOtherCredentials(answer.headers())) {
          throw refused(answer, tunnel, fields.contains(HeaderName.PROXY_AUTHORIZATION), exchange);
        }
        if (!dialogue.isReusable()) {
          return null;
        }
        dialogue.again();
      }
    }

    private ProxyAuthentication authentication(RouteStep.Tunnel tunnel) throws IOException {
      ProxyAuthentication before = shown;
      if (before != null) {
        return before;
      }
      Origin origin = tunnel.origin();
      Request request = Request.builder(origin, Method.CONNECT, origin.authority())
          .headers(tunnel.proxy().tunnelFields())
          .build();
      ProxyAuthentication begun = new ProxyAuthentication(
          credentials.authenticatorsFor(tunnel.proxy()), tunnel.proxy(), request, exchange, clock);
      begun.begin();
      shown = begun;
      return begun;
    }
  }

  // ---- failing

  private ProxyException refused(
      ProxyException.Answer answer, RouteStep.Tunnel tunnel, boolean shown, Exchange exchange) {
    Proxy proxy = tunnel.proxy();
    boolean authentication = answer.status().equals(Status.PROXY_AUTHENTICATION_REQUIRED);
    String advice = "";
    if (authentication) {
      advice = shown
          ? "; it does not accept the credentials"
          : credentials.authenticatorsFor(proxy).isEmpty()
              ? "; set a user name and password with Proxy.withCredentials"
              : "; there are no credentials for the schemes that it accepts";
    }
    return new ProxyException(
        authentication ? ProxyException.Reason.AUTHENTICATION : ProxyException.Reason.REFUSED,
        "the proxy %s opened no tunnel to %s: it answered %s%s"
            .formatted(proxy, tunnel.origin().authority(), answer.status(), advice),
        proxy.toString(),
        answer,
        exchange.point(),
        null);
  }

  private static ProxyException explain(
      SocksException e, RouteStep.Through step, Exchange exchange) {
    Proxy proxy = step.proxy();
    ProxyException.Reason reason =
        switch (e.reason()) {
          case AUTHENTICATION -> ProxyException.Reason.AUTHENTICATION;
          case REFUSED -> ProxyException.Reason.REFUSED;
          case MALFORMED -> ProxyException.Reason.MALFORMED;
        };
    return new ProxyException(
        reason,
        "the proxy %s opened no connection: %s".formatted(proxy, e.getMessage()),
        proxy.toString(),
        null,
        exchange.point(),
        e);
  }

  private static IOException explain(ProtocolException e, Proxy proxy, Exchange exchange) {
    if (e.violation() == Violation.TRUNCATED) {
      return new ConnectFailedException(
          "the proxy %s closed the connection: %s".formatted(proxy, e.getMessage()),
          exchange.point(),
          e);
    }
    return new ProxyException(
        ProxyException.Reason.MALFORMED,
        "the proxy %s did not answer CONNECT with valid HTTP: %s".formatted(proxy, e.getMessage()),
        proxy.toString(),
        null,
        exchange.point(),
        e);
  }

  private IOException explain(IOException e, Proxy proxy, Exchange exchange) {
    if (e instanceof TlsHandshakeException || exchange.deadline().isPast(clock)) {
      return Failures.explain(e, exchange.point());
    }
    if (e instanceof DeadlinePassedException) {
      return new ConnectFailedException(
          "the handshake with the proxy %s was not finished in time; Timeouts.connect allows %d ms"
              .formatted(proxy, connectTimeout.toMillis()),
          exchange.point(),
          e);
    }
    String message = e.getMessage();
    return new ConnectFailedException(
        "the handshake with the proxy %s failed: %s"
            .formatted(proxy, message == null ? e.toString() : message),
        exchange.point(),
        e);
  }
}
