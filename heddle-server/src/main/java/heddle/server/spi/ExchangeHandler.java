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

  /**
   * A request was refused, so that {@link #handle} does not see it. The server calls this on the
   * handler that it was given, which passes it on to what else is to know; called on one virtual
   * thread at a time, soon after the refusal. It must not block for long: at most 1 MiB of refused
   * requests wait for it, more are left out, and the server waits for it when it closes. What it
   * throws is logged. Does nothing by default.
   */
  default void refused(RefusedRequest request) {}
}
