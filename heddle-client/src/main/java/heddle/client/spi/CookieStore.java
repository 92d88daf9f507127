package heddle.client.spi;

import heddle.http.Request;
import java.io.IOException;
import java.util.List;

/**
 * Stores cookies (RFC 6265). {@link #load} is called before each request of a call, redirects
 * included, and {@link #save} with the cookies of each response, on the thread that makes the call,
 * which they may block; by many threads at the same time. A call throws what they throw.
 *
 * <p>The module {@code heddle-cookies} has one that follows the standard, and one over a {@link
 * java.net.CookieHandler}.
 */
public interface CookieStore {
  /**
   * The value of Cookie for a request, such as {@code a=1; b=2}; empty for no such field. Not
   * called for a request that already has a Cookie field, which is sent unchanged.
   *
   * @param request whose origin, path and method select the cookies; each char of the returned
   *     value is one octet
   * @throws IOException if the cookies cannot be looked up; the call fails with it
   */
  String load(Request request) throws IOException;

  /**
   * Stores the cookies that a response sets, even if the request's cookies were not from this
   * store.
   *
   * @param request to which the response belongs
   * @param setCookies the values of the response's Set-Cookie fields in order, at least one; one
   *     char for each octet
   * @throws IOException if the cookies cannot be stored; the call fails with it, and the response
   *     is closed
   */
  void save(Request request, List<String> setCookies) throws IOException;
}
