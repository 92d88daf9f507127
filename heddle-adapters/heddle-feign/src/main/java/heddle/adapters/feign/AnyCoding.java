package heddle.adapters.feign;

import heddle.client.coding.ContentCodings;
import heddle.client.settings.DecodingLimits;
import heddle.client.spi.Interceptor;
import heddle.http.FailurePoint;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Request;
import heddle.http.Response;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Decodes gzip and deflate of any response, even if the request did not accept it, as Feign's own
 * client does. Accept-Encoding is sent as the request has it. Heddle's decoding limits apply.
 */
final class AnyCoding implements Interceptor {
  private final ContentCodings codings = new ContentCodings(DecodingLimits.DEFAULTS);

  @Override
  public Response intercept(Request request, Chain chain) throws IOException {
    // It decodes only if it sets Accept-Encoding itself, so the original request is restored below.
    Headers silent =
        request.headers().toBuilder().remove(HeaderName.ACCEPT_ENCODING).build();
    Request undecided = request.toBuilder().headers(silent).build();
    return codings.intercept(undecided, new Restoring(request, chain));
  }

  /** Sends the original request. */
  private record Restoring(Request original, Chain chain) implements Chain {
    @Override
    public Response proceed(Request asking) throws IOException {
      return chain.proceed(original);
    }

    @Override
    public @Nullable FailurePoint point() {
      return chain.point();
    }
  }
}
