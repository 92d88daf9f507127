package heddle.server.proxy;

import heddle.connection.NamedOrigin;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.ForwardingExchange;
import java.net.SocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows handlers the client instead of the proxies before this server: its address as {@link
 * Exchange#remoteAddress}, and the scheme and host that it asked for as the {@linkplain
 * Request#origin origin} of the request. Only what trusted proxies say counts. Immutable.
 *
 * <pre>{@code
 * Filter forwarded =
 *     new ForwardedFilter(ForwardedFields.FORWARDED, TrustedProxies.of("10.0.0.0/8"));
 * HttpServer.builder().exchangeHandler(forwarded.before(handler));
 * }</pre>
 */
public final class ForwardedFilter implements Filter {
  private final ForwardedFields fields;
  private final TrustedProxies trusted;

  /** A filter that reads the fields which the trusted proxies set. */
  public ForwardedFilter(ForwardedFields fields, TrustedProxies trusted) {
    this.fields = Objects.requireNonNull(fields, "fields");
    this.trusted = Objects.requireNonNull(trusted, "trusted");
  }

  @Override
  public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
    SocketAddress peer = exchange.remoteAddress();
    if (!trusted.contains(peer)) {
      return next.handle(exchange);
    }
    ForwardedClient client = fields.client(exchange.request().headers(), peer, trusted);
    return next.handle(new Forwarded(exchange, client));
  }

  private static final class Forwarded extends ForwardingExchange {
    private final SocketAddress address;
    private final Request request;

    Forwarded(Exchange exchange, ForwardedClient client) {
      super(exchange);
      address = client.address();
      request = request(exchange.request(), client);
    }

    private static Request request(Request received, ForwardedClient client) {
      Origin origin = origin(received.origin(), client);
      return origin.equals(received.origin())
          ? received
          : Request.received(
              origin,
              received.method(),
              received.target(),
              received.headers(),
              received.body(),
              received.trailers());
    }

    /** A port that is not named is the default one of the client's scheme. */
    private static Origin origin(Origin received, ForwardedClient client) {
      String named = client.scheme();
      boolean known = "http".equals(named) || "https".equals(named);
      String scheme = named != null && known ? named : received.scheme();
      boolean isDefault = received.port() == NamedOrigin.defaultPort(received.scheme());
      int port = isDefault ? NamedOrigin.defaultPort(scheme) : received.port();
      Origin own = new Origin(scheme, received.host(), port);
      if (client.host() == null) {
        return own;
      }
      try {
        return NamedOrigin.of(scheme, client.host());
      } catch (IllegalArgumentException e) {
        return own; // It has the syntax of a host, and is none.
      }
    }

    @Override
    public SocketAddress remoteAddress() {
      return address;
    }

    @Override
    public Request request() {
      return request;
    }
  }
}
