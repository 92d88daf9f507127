package heddle.server.spi;

import heddle.http.Response;
import org.jspecify.annotations.Nullable;

/**
 * Works on requests before their handler, and on responses after it. Called on the handler's
 * thread, for many requests at once, so it must be thread-safe.
 *
 * <pre>{@code
 * Filter timing = (exchange, next) -> {
 *   long begin = System.nanoTime();
 *   try {
 *     return next.handle(exchange);
 *   } finally {
 *     log(exchange.request().path(), System.nanoTime() - begin);
 *   }
 * };
 * HttpServer.builder().exchangeHandler(timing.before(handler));
 * }</pre>
 */
@FunctionalInterface
public interface Filter {
  /**
   * Answers a request, as a rule with what {@code next} answers. A filter that changes responses
   * also passes an exchange on whose {@link Exchange#begin} changes their head, see {@link
   * ForwardingExchange}.
   *
   * @param next the handler, or the next filter before it; called at most once
   * @return as {@link ExchangeHandler#handle} does: null if a response was begun
   * @throws Exception as {@link ExchangeHandler#handle} does
   */
  @Nullable
  Response filter(Exchange exchange, ExchangeHandler next) throws Exception;

  /** A request was refused before any filter, see {@link ExchangeHandler#refused}. */
  default void refused(RefusedRequest request) {}

  /**
   * A handler that passes each request through this filter to {@code handler}; of refused requests
   * both hear.
   */
  default ExchangeHandler before(ExchangeHandler handler) {
    return new ExchangeHandler() {
      @Override
      public @Nullable Response handle(Exchange exchange) throws Exception {
        return filter(exchange, handler);
      }

      @Override
      public void refused(RefusedRequest request) {
        Filter.this.refused(request);
        handler.refused(request);
      }
    };
  }
}
