package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.RequestNotProcessedException;
import java.io.IOException;

/**
 * Sends requests to a proxy that sends them on, and shows it credentials when it asks for them with
 * 407 (RFC 9110 §15.5.8). A request whose body cannot be produced again is not repeated for that;
 * the next one brings the credentials.
 */
final class ForwardedRequests {
  /** How much of a 407's content is read, so that the connection can be used again. */
  private static final int READ_BYTES = 64 * 1024;

  private final Connection connection;
  private final Proxy proxy;
  private final ProxyCredentials credentials;

  ForwardedRequests(Connection connection, Proxy proxy, ProxyCredentials credentials) {
    this.connection = connection;
    this.proxy = proxy;
    this.credentials = credentials;
  }

  /** As {@link Connection#send}. */
  Response send(Request request, Exchange exchange) throws IOException {
    Headers shown = credentials.fields(proxy);
    Request first = addressed(request, shown);
    if (!shown.isEmpty() || proxy.credentials() == null || !request.body().isReplayable()) {
      Response response = connection.send(first, exchange);
      isAskedToRepeat(response, shown);
      return response;
    }
    HeldEnd held = new HeldEnd(exchange);
    boolean again = false;
    try {
      Response response = connection.send(first, held);
      if (!isAskedToRepeat(response, shown)) {
        return response;
      }
      drop(response);
      held.dropped();
      again = held.isReusable();
    } finally {
      if (!again) {
        held.release();
      }
    }
    if (!again) {
      throw new RequestNotProcessedException(
          "the proxy %s asked for credentials and closed the connection; the next one brings them"
              .formatted(proxy),
          false,
          exchange.point(),
          null);
    }
    return connection.send(addressed(request, credentials.fields(proxy)), exchange);
  }

  private boolean isAskedToRepeat(Response response, Headers shown) {
    return response.status().equals(Status.PROXY_AUTHENTICATION_REQUIRED)
        && credentials.asked(proxy, shown, response.headers());
  }

  private static void drop(Response response) throws IOException {
    long length = response.body().length();
    try (response) {
      if (length >= 0 && length <= READ_BYTES) {
        response.body().discard();
      }
    } catch (HttpException e) {
      // The connection cannot be used again: the request is sent on another.
      return;
    }
  }

  /**
   * RFC 9112 §3.2.2: with a target in absolute-form, Host says the same as its authority; a proxy
   * replaces it anyway. Credentials that the caller gives go first.
   */
  private static Request addressed(Request request, Headers shown) {
    Headers own = request.headers();
    boolean shows = !shown.isEmpty() && !own.contains(HeaderName.PROXY_AUTHORIZATION);
    if (!shows && !own.contains(HeaderName.HOST)) {
      return request;
    }
    Headers.Builder fields = own.toBuilder().remove(HeaderName.HOST);
    if (shows) {
      fields.addAll(shown);
    }
    return request.toBuilder().headers(fields.build()).build();
  }
}
