package heddle.adapters.okhttp;

import okhttp3.Request;

/** Chooses the method and body after a redirect (RFC 9110 section 15.4). */
final class Redirects {
  private Redirects() {}

  /**
   * Sets method and body of the request after a redirect.
   *
   * @param asked the redirected request, whose method may have a body
   */
  static void applyMethod(Request.Builder next, Request asked, int code) {
    String method = asked.method();
    boolean keepsMethod = code == 307 || code == 308 || method.equals("PROPFIND");
    // QUERY may be repeated at the new location, except after 303, which requires GET.
    boolean keepsQuery = method.equals("QUERY") && code != 303;
    if (keepsMethod || keepsQuery) {
      next.method(method, asked.body());
      return;
    }
    next.method("GET", null)
        .removeHeader("Transfer-Encoding")
        .removeHeader("Content-Length")
        .removeHeader("Content-Type");
  }
}
