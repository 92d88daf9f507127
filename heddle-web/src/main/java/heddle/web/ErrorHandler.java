package heddle.web;

import heddle.http.Response;
import org.jspecify.annotations.Nullable;

/**
 * Turns an exception into a response: see {@link Routes#onError}. Called by many threads at once,
 * so it must be thread-safe.
 *
 * @param <E> the type of the exceptions
 */
@FunctionalInterface
public interface ErrorHandler<E extends Exception> {
  /**
   * Answers a request whose handler, or one of whose filters, has thrown.
   *
   * @return the response; null if this handler has {@linkplain WebExchange#begin begun} one
   * @throws Exception to pass the failure, or another one, on
   */
  @Nullable
  Response handle(WebExchange exchange, E failure) throws Exception;
}
