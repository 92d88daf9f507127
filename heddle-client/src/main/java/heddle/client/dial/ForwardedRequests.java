package heddle.client.dial;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Proxy;
import heddle.client.step.UnwantedContent;
import heddle.connection.Connection;
import heddle.connection.Exchange;
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
 * Sends requests to a proxy that forwards them, and answers its 407 with credentials (RFC 9110
 * §15.5.8). A request whose body is not replayable is not repeated for that; the next request
 * brings the credentials.
 */
final class ForwardedRequests {
  private final Connection connection;
  private final Proxy proxy;
  private final List<Authenticator> asked;
  private final Clock clock;

  /**
   * @param asked authenticators that are asked in order for the proxy's credentials; may be empty
   */
  ForwardedRequests(Connection connection, Proxy proxy, List<Authenticator> asked, Clock clock) {
    this.connection = connection;
    this.proxy = proxy;
    this.asked = asked;
    this.clock = clock;
  }

  /** As {@link Connection#send}. */
  Response send(Request request, Exchange exchange) throws IOException {
    Request addressed = addressed(request);
    if (asked.isEmpty()) {
      return connection.send(addressed, exchange);
    }
    ProxyAuthentication shown = begin(addressed, exchange);
    while (true) {
      ProvisionalExchange provisional = new ProvisionalExchange(exchange);
      Response response = sendOnce(shown, provisional, request.body().isReplayable());
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

  private ProxyAuthentication begin(Request request, Exchange exchange) throws IOException {
    ProxyAuthentication shown = new ProxyAuthentication(asked, proxy, request, exchange, clock);
    boolean begun = false;
    try {
      shown.begin();
      begun = true;
      return shown;
    } finally {
      if (!begun) {
        exchange.ended(true); // Nothing was sent, so the connection will not report an end.
      }
    }
  }

  /** Null if the request is to be sent again; the call has not been told of an end in that case. */
  private @Nullable Response sendOnce(
      ProxyAuthentication shown, ProvisionalExchange provisional, boolean replayable)
      throws IOException {
    boolean repeats = false;
    try {
      Response response = connection.send(shown.dressed(), provisional);
      if (!response.status().equals(Status.PROXY_AUTHENTICATION_REQUIRED)) {
        return response;
      }
      boolean handedOver = false;
      try {
        // Asked even if the body is not replayable: the next request uses the answer.
        handedOver = !shown.hasOtherCredentials(response.headers()) || !replayable;
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

  /**
   * RFC 9112 §3.2.2: with a target in absolute-form, Host has to match its authority, and the proxy
   * replaces it anyway.
   */
  private static Request addressed(Request request) {
    if (!request.headers().contains(HeaderName.HOST)) {
      return request;
    }
    Headers others = request.headers().toBuilder().remove(HeaderName.HOST).build();
    return request.toBuilder().headers(others).build();
  }
}
