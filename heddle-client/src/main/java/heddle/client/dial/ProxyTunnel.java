package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.codec.ProtocolException;
import heddle.codec.socks.SocksException;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.connection.negotiate.ProtocolNegotiator;
import heddle.http.FailurePoint;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Performs handshakes with proxies: TLS for an HTTPS proxy, and CONNECT or SOCKS unless the proxy
 * forwards requests. Safe for use by many threads.
 *
 * @param connectTimeout from which the caller computes the deadlines, for messages
 */
record ProxyTunnel(
    TlsProvider tls,
    Limits limits,
    ProxyCredentials credentials,
    Clock clock,
    Duration connectTimeout) {
  /** A handshake for one call, on one channel or on several in turn. Used by one thread. */
  final class Handshake {
    private final RouteStep step;
    private final Proxy proxy;
    private final Exchange exchange;
    private final Deadline limit;

    /** The authentication with the proxy; null before the first CONNECT. */
    private @Nullable ProxyAuthentication shown;

    /**
     * @param limit deadline of the handshake, which is extended by the time that authenticators
     *     take
     */
    Handshake(RouteStep step, Exchange exchange, Deadline limit) {
      this.step = step;
      this.proxy = step.proxy();
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
      Channel opened = null;
      try {
        Channel reached = proxy.kind() == Proxy.Kind.HTTPS ? protect(channel) : channel;
        opened = switch (step.kind()) {
          case DIRECT, FORWARD -> reached;
          case TUNNEL -> connect(reached);
          case SOCKS -> {
            ProxyChannel talking = ProxyChannel.over(reached);
            SocksDialogue.ask(talking, proxy, step.origin(), limit);
            yield talking;
          }
        };
        return opened;
      } catch (IOException | ProtocolException | SocksException e) {
        throw explain(e);
      } finally {
        if (opened == null) {
          channel.close();
        }
      }
    }

    private Channel protect(Channel channel) throws IOException {
      List<String> offers = ProtocolNegotiator.offers(HttpVersion.HTTP_1_1);
      try {
        return tls.connect(channel, proxy.host(), proxy.port(), offers, limit());
      } catch (TlsHandshakeException e) {
        throw new TlsHandshakeException(
            e.reason(), e.getMessage() + "; that is the proxy, not the origin", e);
      }
    }

    private @Nullable Channel connect(Channel channel) throws IOException, ProtocolException {
      ProxyAuthentication before = shown;
      ProxyAuthentication asking = before == null ? authentication() : before;
      ProxyChannel talking = ProxyChannel.over(channel);
      ConnectDialogue dialogue = new ConnectDialogue(talking, step.origin().authority(), limits);
      do {
        Headers fields = asking.dressed().headers();
        ProxyException.Answer answer = dialogue.ask(fields, limit());
        if (answer == null) {
          return talking;
        }
        boolean asks = answer.status().equals(Status.PROXY_AUTHENTICATION_REQUIRED);
        if (!asks || !asking.hasOtherCredentials(answer.headers())) {
          throw refused(answer, asks, fields.contains(HeaderName.PROXY_AUTHORIZATION));
        }
      } while (dialogue.again());
      return null;
    }

    private ProxyAuthentication authentication() throws IOException {
      Origin origin = step.origin();
      Request request = Request.builder(origin, Method.CONNECT, origin.authority())
          .headers(proxy.tunnelFields())
          .build();
      ProxyAuthentication begun = new ProxyAuthentication(
          credentials.authenticatorsFor(proxy), proxy, request, exchange, clock);
      begun.begin();
      shown = begun;
      return begun;
    }

    // ---- failing

    private ProxyException refused(
        ProxyException.Answer answer, boolean asks, boolean hadCredentials) {
      boolean hadNone = credentials.authenticatorsFor(proxy).isEmpty();
      String detail = "";
      if (asks && (hadCredentials || !hadNone)) {
        detail = hadCredentials
            ? "; it does not accept the credentials"
            : "; there are no credentials for the schemes that it accepts";
      }
      ProxyException refusal = failure(
          asks ? ProxyException.Reason.AUTHENTICATION : ProxyException.Reason.REFUSED,
          "opened no tunnel to %s: it answered %s%s"
              .formatted(step.origin().authority(), answer.status(), detail),
          answer,
          null);
      boolean isAdvised = asks && detail.isEmpty();
      return HttpException.advise(
          refusal, isAdvised ? "; set a user name and password with Proxy.withCredentials" : "");
    }

    private IOException explain(Exception failure) {
      FailurePoint at = exchange.point();
      return switch (failure) {
        case InterruptedIOException e -> e;
        case ProxyException e -> e;
        case SocksException e -> {
          ProxyException.Reason reason =
              switch (e.reason()) {
                case AUTHENTICATION -> ProxyException.Reason.AUTHENTICATION;
                case REFUSED -> ProxyException.Reason.REFUSED;
                case MALFORMED -> ProxyException.Reason.MALFORMED;
              };
          yield failure(reason, "opened no connection: " + e.getMessage(), null, e);
        }
        case ProtocolException e
        when e.violation().isTruncation() ->
          new ConnectFailedException(
              "the proxy %s closed the connection: %s".formatted(proxy, e.getMessage()), at, e);
        case ProtocolException e ->
          failure(
              ProxyException.Reason.MALFORMED,
              "did not answer CONNECT with valid HTTP: " + e.getMessage(),
              null,
              e);
        case TlsHandshakeException e -> Failures.explain(e, at);
        case Exception e when exchange.deadline().isPast(clock) -> Failures.explain(e, at);
        case DeadlinePassedException e ->
          HttpException.advise(
              new ConnectFailedException(
                  "the handshake with the proxy %s was not finished in time".formatted(proxy),
                  at,
                  e),
              "; Timeouts.connect allows %d ms".formatted(connectTimeout.toMillis()));
        default -> {
          String reason = Objects.requireNonNullElse(failure.getMessage(), failure.toString());
          yield new ConnectFailedException(
              "the handshake with the proxy %s failed: %s".formatted(proxy, reason), at, failure);
        }
      };
    }

    private ProxyException failure(
        ProxyException.Reason reason,
        String what,
        ProxyException.@Nullable Answer answer,
        @Nullable Exception cause) {
      String message = "the proxy %s %s".formatted(proxy, what);
      return new ProxyException(reason, message, proxy.toString(), answer, exchange.point(), cause);
    }
  }
}
