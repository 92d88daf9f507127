package heddle.web.filter;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.syntax.Octets;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import heddle.server.spi.ForwardingExchange;
import java.io.OutputStream;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Gives each request an id, by which logs of several services can be put together. Thread-safe.
 *
 * <p>The id is that of the request's {@code X-Request-Id} if it has 1 to 128 letters, digits and
 * {@code -_.:+/=@}; else the trace id of a valid {@code traceparent} (W3C Trace Context); else a
 * new random one of 32 hexadecimal digits. The client chooses it, so it proves nothing. It is
 * attached to the exchange as {@link #ID}, where {@link AccessLog} finds it, and returned in the
 * response's {@code X-Request-Id}.
 */
public final class RequestId implements Filter {
  /** The id of a request that went through this filter. */
  public static final Attribute<String> ID = Attribute.of("request id", String.class);

  private static final int MOST_CHARS = 128;
  private static final int TRACEPARENT_CHARS = 55;

  /** Creates the filter. */
  public RequestId() {}

  @Override
  public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
    String id = id(exchange.request().headers());
    exchange.set(ID, id);
    Response response = next.handle(new IdentifiedExchange(exchange, id));
    return response == null ? null : with(response, id);
  }

  private static Response with(Response response, String id) {
    return response.toBuilder()
        .headers(response.headers().toBuilder().set(HeaderName.X_REQUEST_ID, id).build())
        .build();
  }

  static String id(Headers request) {
    String given = request.first(HeaderName.X_REQUEST_ID);
    if (given != null && isValid(given)) {
      return given;
    }
    String trace = traceId(request);
    return trace == null ? UUID.randomUUID().toString().replace("-", "") : trace;
  }

  private static boolean isValid(String id) {
    return !id.isEmpty()
        && id.length() <= MOST_CHARS
        && id.chars()
            .allMatch(c -> Octets.isAlpha(c) || Octets.isDigit(c) || "-_.:+/=@".indexOf(c) >= 0);
  }

  private static @Nullable String traceId(Headers request) {
    String parent = request.first(HeaderName.TRACEPARENT);
    if (parent == null || parent.length() < TRACEPARENT_CHARS || parent.startsWith("ff")) {
      return null;
    }
    for (int i = 0; i < TRACEPARENT_CHARS; i++) {
      boolean dash = i == 2 || i == 35 || i == 52;
      char c = parent.charAt(i);
      boolean lowerHex = Octets.isHex(c) && c == Octets.lower(c);
      if (dash ? c != '-' : !lowerHex) {
        return null;
      }
    }
    String id = parent.substring(3, 35);
    return id.chars().allMatch(c -> c == '0') ? null : id;
  }

  private static final class IdentifiedExchange extends ForwardingExchange {
    private final String id;

    IdentifiedExchange(Exchange exchange, String id) {
      super(exchange);
      this.id = id;
    }

    @Override
    public OutputStream begin(Response head) {
      return super.begin(with(head, id));
    }
  }
}
