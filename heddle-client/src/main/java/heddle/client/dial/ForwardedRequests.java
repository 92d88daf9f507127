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
import heddle.transport.Clock;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to a proxy that sends them on, and shows it credentials when it asks for them with
 * 407 (RFC 9110 §15.5.8). A request whose body cannot be produced again is not repeated for that;
 * the next one brings the credentials.
 */
final class ForwardedRequests {
  private final Connection connection;
  private final Proxy proxy;
  private final List<Authenticator> asked;
  private final Clock clock;

  /**
   * @param asked what to show to the proxy, one after the other; empty where nobody knows
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
      HeldEnd held = new HeldEnd(exchange);
      Response response = sendOnce(shown, held, request.body().isReplayable());
      if (response != null) {
        return response;
      }
      if (!held.isReusable()) {
        held.release();
        throw new RequestNotProcessedException(
            "the proxy %s asked for credentials and closed the connection; the next one brings them"
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
        exchange.ended(true); // for nothing was sent that could tell
      }
    }
  }

  /** Null when the request is to be sent again, while the call has not heard of an end. */
  private @Nullable Response sendOnce(ProxyAuthentication shown, HeldEnd held, boolean replayable)
      throws IOException {
    boolean repeats = false;
    try {
      Response response = connection.send(shown.dressed(), held);
      if (!response.status().equals(Status.PROXY_AUTHENTICATION_REQUIRED)) {
        return response;
      }
      boolean handedOver = false;
      try {
        // Asked also where the answer is for the next request alone.
        handedOver = !shown.isAnswered(response.headers()) || !replayable;
      } finally {
        if (!handedOver) {
          drop(response, held);
        }
      }
      repeats = !handedOver;
      return handedOver ? response : null;
    } finally {
      if (!repeats) {
        held.release();
      }
    }
  }

  private static void drop(Response response, HeldEnd held) throws IOException {
    try {
      UnwantedContent.dispose(response.body());
    } finally {
      held.dropped();
    }
  }

  /**
   * RFC 9112 §3.2.2: with a target in absolute-form, Host says the same as its authority; a proxy
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
