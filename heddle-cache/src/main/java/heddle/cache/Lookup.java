package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Request;

/**
 * A request that may be answered from the store, as the cache sees it.
 *
 * @param key the target URI: RFC 9111 section 2; one of GET, as HEAD asks about the same response
 * @param credentials a digest of those that the request has; empty if it has none
 */
record Lookup(Request request, String key, CacheControl control, String credentials) {
  static Lookup of(Request request) {
    return new Lookup(
        request,
        key(request),
        CacheControl.ofRequest(request.headers()),
        credentials(request.headers()));
  }

  static String key(Request request) {
    return request.origin() + request.target();
  }

  /**
   * Whether the store may have an answer. Requests with content, ranges (section 3.3 allows, and
   * does not require, to combine them) and the conditions that only an origin may evaluate (section
   * 4.3.2) go to the server as they are.
   */
  static boolean isPossible(Request request) {
    Headers headers = request.headers();
    return (request.method() == Method.GET || request.method() == Method.HEAD)
        && request.body().length() == 0
        && !headers.contains(HeaderName.RANGE)
        && !headers.contains(HeaderName.IF_MATCH)
        && !headers.contains(HeaderName.IF_UNMODIFIED_SINCE);
  }

  boolean isHead() {
    return request.method() == Method.HEAD;
  }

  /** Whether the caller has set conditions, and so expects to be told that nothing has changed. */
  boolean isConditional() {
    return request.headers().contains(HeaderName.IF_NONE_MATCH)
        || request.headers().contains(HeaderName.IF_MODIFIED_SINCE);
  }

  private static String credentials(Headers headers) {
    String authorization = FieldLists.normalised(headers, HeaderName.AUTHORIZATION);
    String cookie = FieldLists.normalised(headers, HeaderName.COOKIE);
    String both =
        (authorization == null ? "" : "A" + authorization) + (cookie == null ? "" : "\nC" + cookie);
    return both.isEmpty() ? "" : Digests.hex(both);
  }
}
