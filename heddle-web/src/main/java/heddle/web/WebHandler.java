package heddle.web;

import heddle.http.Response;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of a route. Threads, bodies and failures are as {@link
 * heddle.server.spi.ExchangeHandler} describes; one of those is the handler of a route by {@code
 * handler::handle}. Called by many threads at once, so it must be thread-safe.
 */
@FunctionalInterface
public interface WebHandler {
  /**
   * Answers one request.
   *
   * @return the response; null if the handler has {@linkplain WebExchange#begin begun} one
   * @throws ProblemException to end with a problem and its status
   * @throws Exception any failure: see {@link Routes#onError}
   */
  @Nullable
  Response handle(WebExchange exchange) throws Exception;
}
