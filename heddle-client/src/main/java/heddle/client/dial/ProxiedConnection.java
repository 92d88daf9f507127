package heddle.client.dial;

import heddle.client.route.Proxied;
import heddle.client.spi.Authenticator;
import heddle.client.spi.Proxy;
import heddle.client.step.UnwantedContent;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.connection.ForwardingConnection;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.failure.RequestNotProcessedException;
import heddle.transport.time.Clock;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection through a proxy. Only the proxy gets the proxy's credentials. It is never valid for
 * other origins, since its address is the proxy's.
 *
 * @param target leads to the proxy if that forwards requests, or else to the origin, in a tunnel
 * @param asked in order for the credentials of a proxy that forwards requests; may be empty. Null
 *     for a tunnel, in which the proxy does not see requests
 */
record ProxiedConnection(
    Connection target, Proxy proxy, @Nullable List<Authenticator> asked, Clock clock)
    implements ForwardingConnection, Proxied {
  @Override
  public Response send(Request request, Exchange exchange) throws IOException {
    List<Authenticator> authenticators = asked;
    if (authenticators != null) {
      // RFC 9112 §3.2.2: with a target in absolute-form, Host has to match its authority, and the
      // proxy replaces it anyway.
      Request addressed = without(HeaderName.HOST, request);
      return authenticators.isEmpty()
          ? target.send(addressed, exchange)
          : sendWithCredentials(
              new ProxyAuthentication(authenticators, proxy, addressed, exchange, clock), exchange);
    }
    // RFC 9110 §11.7.2: the field is meant for the proxy, which does not see this request.
    return target.send(
        proxy.passesCredentials() ? request : without(HeaderName.PROXY_AUTHORIZATION, request),
        exchange);
  }

  private static Request without(HeaderName field, Request request) {
    if (!request.headers().contains(field)) {
      return request;
    }
    Headers others = request.headers().toBuilder().remove(field).build();
    return request.toBuilder().headers(others).build();
  }

  /**
   * Answers the proxy's 407 with credentials (RFC 9110 §15.5.8). A request whose body is not
   * replayable is not repeated for that; the next request brings the credentials.
   */
  private Response sendWithCredentials(ProxyAuthentication shown, Exchange exchange)
      throws IOException {
    boolean begun = false;
    try {
      shown.begin();
      begun = true;
    } finally {
      if (!begun) {
        exchange.ended(true); // Nothing was sent, so the connection will not report an end.
      }
    }
    while (true) {
      ProvisionalExchange provisional = new ProvisionalExchange(exchange);
      Response response = sendOnce(shown, provisional);
      if (response != null) {
        return response;
      }
      if (!provisional.isReusable()) {
        provisional.release();
        throw new RequestNotProcessedException(
            "the proxy %s asked for credentials and closed the connection; the next one sends them"
                .formatted(proxy),
            false,
            exchange.point(),
            null);
      }
    }
  }

  /** Null if the request is to be sent again; the call does not know of an end in that case. */
  private @Nullable Response sendOnce(ProxyAuthentication shown, ProvisionalExchange provisional)
      throws IOException {
    boolean repeats = false;
    try {
      Request request = shown.dressed();
      Response response = target.send(request, provisional);
      if (!response.status().equals(Status.PROXY_AUTHENTICATION_REQUIRED)) {
        return response;
      }
      boolean handedOver = false;
      try {
        // Asked even if the body is not replayable: the next request uses the answer.
        handedOver =
            !shown.hasOtherCredentials(response.headers()) || !request.body().isReplayable();
      } finally {
        if (!handedOver) {
          drop(response, provisional);
        }
      }
      repeats = !handedOver;
      return handedOver ? response : null;
    } finally {
      if (!repeats) {
        provisional.release();
      }
    }
  }

  private static void drop(Response response, ProvisionalExchange provisional) throws IOException {
    try {
      UnwantedContent.dispose(response.body());
    } finally {
      provisional.discardReceived();
    }
  }

  @Override
  public String toString() {
    return "ProxiedConnection[" + target + " through " + proxy + "]";
  }
}
