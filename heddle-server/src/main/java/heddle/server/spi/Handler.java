package heddle.server.spi;

import heddle.http.Request;
import heddle.http.Response;

/**
 * Answers requests. Called on a thread of its own for each request (a virtual thread unless the
 * server was given an executor), so it may block; called by many threads at once, so it is
 * thread-safe.
 *
 * <pre>{@code
 * Handler hello = request -> Response.ok("Hello, " + request.path());
 * }</pre>
 */
@FunctionalInterface
public interface Handler {
  /**
   * Answers one request.
   *
   * <p>The request's body may be read until the response has been sent; what is left of it then is
   * discarded. A response whose body is a stream is written while it is read, and the body is
   * closed exactly once, whatever happens. A streaming response may read the request's body as it
   * goes.
   *
   * @return the response; its {@code Content-Length}, {@code Transfer-Encoding}, {@code Connection}
   *     and {@code Date} fields are the server's business, and the fields of that name that it sets
   *     itself are refused where they contradict
   * @throws Exception whatever goes wrong: the peer is answered 500 without details and the
   *     exception is logged. A failure to read the request that is the peer's fault and is passed
   * on     is answered with the status that the fault deserves (400, 408, 413).
   */
  Response handle(Request request) throws Exception;
}
