package heddle.adapters.okhttp;

import okhttp3.Request;

/** With which method and body a redirect is followed (RFC 9110 section 15.4). */
final class Redirects {
  private Redirects() {}

  /**
   * Makes the request what it is after a redirect.
   *
   * @param asked the request that was answered, whose method may have a body
   */
  static void applyMethod(Request.Builder next, Request asked, int code) {
    String method = asked.method();
    boolean keepsMethod = code == 307 || code == 308 || method.equals("PROPFIND");
    // A query may be asked again elsewhere; 303 alone says that its answer is to be got there.
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
