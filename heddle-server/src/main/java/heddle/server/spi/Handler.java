package heddle.server.spi;

import heddle.http.Request;
import heddle.http.Response;

/**
 * Answers requests. Each request is handled on its own thread (a virtual thread unless the server
 * was given an executor), so a handler may block. Many threads call it at once, so it must be
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
   * <p>The request's body may be read until the response has been sent; the rest is then discarded.
   * A response whose body is a stream is written while it is read, and the body is closed exactly
   * once in any case. A streaming response may read the request's body while it is written.
   *
   * @return the response; its {@code Content-Length}, {@code Transfer-Encoding}, {@code Connection}
   *     and {@code Date} fields are set by the server, and those that the handler sets are refused
   *     if they contradict
   * @throws Exception on any failure: the peer is answered 500 without details and the exception is
   *     logged. If the handler passes on a failure to read the request that is the peer's fault,
   *     the answer has the status of that fault (400, 408, 413).
   */
  Response handle(Request request) throws Exception;
}
