package heddle.server.spi;

import heddle.http.Response;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests as {@link Handler} does, and sees the whole {@link Exchange}: who is asking, and
 * how to answer before, or instead of, returning a response. Threads and bodies are as described
 * there.
 *
 * <pre>{@code
 * ExchangeHandler whoAmI = exchange -> Response.ok("You are " + exchange.remoteAddress());
 *
 * ExchangeHandler countdown = exchange -> {
 *   try (Writer out = exchange.writer(Response.ok(Body.empty()))) {
 *     for (int i = 3; i > 0; i--) {
 *       out.write(i + "\n");
 *       out.flush();
 *       Thread.sleep(Duration.ofSeconds(1));
 *     }
 *   }
 *   return null;
 * };
 * }</pre>
 */
@FunctionalInterface
public interface ExchangeHandler {
  /**
   * Answers one request.
   *
   * @return the response; null if the handler has {@linkplain Exchange#begin begun} one, which then
   *     ends here unless it has been closed, {@linkplain Exchange#switchProtocols switched} to
   *     another protocol, or {@linkplain Exchange#abort aborted} the exchange. A response returned
   *     after an abort is ignored, after the others it is an error.
   * @throws Exception as {@link Handler#handle} does; if a response has begun, it is cut
   */
  @Nullable
  Response handle(Exchange exchange) throws Exception;
}
