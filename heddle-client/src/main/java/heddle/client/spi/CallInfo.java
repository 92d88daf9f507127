package heddle.client.spi;

import heddle.http.Request;
import org.jspecify.annotations.Nullable;

/**
 * A call, as its listeners see it.
 *
 * @param id unique among the observed calls of this process; above 0
 * @param request as the caller passed it to the client
 * @param client the {@linkplain heddle.client.HttpClient.Builder#label label} of the client; null
 *     if it has none
 * @param hedgeOf the id of the call that this one was made for as a hedge ({@link
 *     Interceptor.Chain#proceed(Request, Interceptor.Hedges)}); 0 if it is no hedge
 */
public record CallInfo(long id, Request request, @Nullable String client, long hedgeOf) {
  /** Such as {@code call 7: GET http://x:80/path}. */
  @Override
  public String toString() {
    // Without the query, which may hold private data.
    return "call %d: %s %s%s".formatted(id, request.method(), request.origin(), request.path());
  }
}
