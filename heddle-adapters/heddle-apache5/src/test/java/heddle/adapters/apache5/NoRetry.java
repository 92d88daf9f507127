package heddle.adapters.apache5;

import java.io.IOException;
import java.util.List;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;

/** Repeats nothing, and notes what it was asked about. */
record NoRetry(List<Class<?>> seen) implements HttpRequestRetryStrategy {
  @Override
  public boolean retryRequest(HttpRequest request, IOException e, int count, HttpContext context) {
    seen.add(e.getClass());
    return false;
  }

  @Override
  public boolean retryRequest(HttpResponse response, int count, HttpContext context) {
    return false;
  }

  @Override
  public TimeValue getRetryInterval(HttpResponse response, int count, HttpContext context) {
    return TimeValue.ZERO_MILLISECONDS;
  }
}
