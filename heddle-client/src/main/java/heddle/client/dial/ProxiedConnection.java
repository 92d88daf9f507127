package heddle.client.dial;

import heddle.client.route.Proxied;
import heddle.client.spi.Authenticator;
import heddle.client.spi.Proxy;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.connection.ForwardingConnection;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.time.Clock;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection through a proxy. Only the proxy gets the proxy's credentials. It is never valid for
 * other origins, since its address is the proxy's.
 */
final class ProxiedConnection implements ForwardingConnection, Proxied {
  private final Connection connection;
  private final Proxy proxy;

  /** Null for a tunnel, in which the proxy does not see requests. */
  private final @Nullable ForwardedRequests forwarded;

  private ProxiedConnection(
      Connection connection, Proxy proxy, @Nullable ForwardedRequests forwarded) {
    this.connection = connection;
    this.proxy = proxy;
    this.forwarded = forwarded;
  }

  /** A connection to the origin, in a tunnel. */
  static ProxiedConnection tunnelled(Connection connection, Proxy proxy) {
    return new ProxiedConnection(connection, proxy, null);
  }

  /**
   * A connection to the proxy itself, which forwards requests.
   *
   * @param asked authenticators that are asked in order for the proxy's credentials
   */
  static ProxiedConnection forwarded(
      Connection connection, Proxy proxy, List<Authenticator> asked, Clock clock) {
    return new ProxiedConnection(
        connection, proxy, new ForwardedRequests(connection, proxy, asked, clock));
  }

  @Override
  public Connection target() {
    return connection;
  }

  @Override
  public Proxy proxy() {
    return proxy;
  }

  @Override
  public Response send(Request request, Exchange exchange) throws IOException {
    ForwardedRequests toProxy = forwarded;
    if (toProxy != null) {
      return toProxy.send(request, exchange);
    }
    boolean asItIs = proxy.passesCredentials();
    return connection.send(asItIs ? request : withoutProxyCredentials(request), exchange);
  }

  /** RFC 9110 §11.7.2: the field is meant for the proxy, which does not see this request. */
  private static Request withoutProxyCredentials(Request request) {
    if (!request.headers().contains(HeaderName.PROXY_AUTHORIZATION)) {
      return request;
    }
    Headers others =
        request.headers().toBuilder().remove(HeaderName.PROXY_AUTHORIZATION).build();
    return request.toBuilder().headers(others).build();
  }

  @Override
  public String toString() {
    return "ProxiedConnection[" + connection + " through " + proxy + "]";
  }
}
