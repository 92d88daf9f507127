package heddle.client.spi;

import heddle.http.Request;
import java.io.IOException;
import java.util.List;

/**
 * Stores cookies (RFC 6265). {@link #load} is called before each request of a call, redirects
 * included, and {@link #save} with the cookies of each response, on the thread that makes the call,
 * which they may block; by many threads at the same time. A call throws what they throw. The module
 * {@code heddle-cookies} has a standard one, and one over a {@link java.net.CookieHandler}.
 */
public interface CookieStore {
  /**
   * The value of Cookie for a request, such as {@code a=1; b=2}, with a char for each octet; empty
   * for no such field. Not called for a request that already has a Cookie field.
   *
   * @param request whose origin, path and method select the cookies
   * @throws IOException if the cookies cannot be looked up; the call fails with it
   */
  String load(Request request) throws IOException;

  /**
   * Stores what a response sets, even if the request's cookies were not from this store.
   *
   * @param request to which the response belongs
   * @param setCookies the response's Set-Cookie values in order, one or more; a char is an octet
   * @throws IOException if they cannot be stored; the call fails with it, the response is closed
   */
  void save(Request request, List<String> setCookies) throws IOException;
}
