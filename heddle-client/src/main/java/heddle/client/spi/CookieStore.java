package heddle.client.spi;

import heddle.http.Request;
import java.io.IOException;
import java.util.List;

/**
 * Keeps cookies (RFC 6265): asked before each request of a call, redirects included, and told of
 * the cookies of each response. Called on the thread that makes the call, which it may block, by
 * many threads at the same time. What it throws, the call throws.
 *
 * <p>The module {@code heddle-cookies} has one that follows the standard, and one over a {@link
 * java.net.CookieHandler}.
 */
public interface CookieStore {
  /**
   * The value of Cookie for a request, such as {@code a=1; b=2}; empty for no such field. Not asked
   * for a request that has the field already: its own is sent, and nothing beside it.
   *
   * @param request whose origin, path and method count; one char of a cookie stands for an octet
   * @throws IOException if the cookies cannot be looked up; the call fails with it
   */
  String load(Request request) throws IOException;

  /**
   * Keeps what a response has set, whether the request's cookies came from here or not.
   *
   * @param request that was answered
   * @param setCookies the values of the response's Set-Cookie fields in order, at least one; one
   *     char for each octet
   * @throws IOException if the cookies cannot be kept; the call fails with it, and the response is
   *     closed
   */
  void save(Request request, List<String> setCookies) throws IOException;
}
