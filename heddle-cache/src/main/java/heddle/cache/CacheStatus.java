package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Response;
import heddle.http.Status;

/** The field Cache-Status (RFC 9211), by which each response says what the cache did. */
final class CacheStatus {
  static final HeaderName NAME = HeaderName.of("Cache-Status");

  /** Why a request went to the server: RFC 9211 section 2.2. */
  enum Forward {
    BYPASS("bypass"),
    METHOD("method"),
    URI_MISS("uri-miss"),
    VARY_MISS("vary-miss"),
    REQUEST("request"),
    STALE("stale");

    private final String token;

    Forward(String token) {
      this.token = token;
    }
  }

  private CacheStatus() {}

  /** The answer of the cache, which has this many seconds until it is stale. */
  static String hit(long remaining) {
    return "heddle; hit; ttl=" + remaining;
  }

  static String forwarded(Forward why) {
    return "heddle; fwd=" + why.token;
  }

  /** The response will be stored once it has been read. */
  static String stored(Forward why) {
    return forwarded(why) + "; stored";
  }

  /** A stored response is the answer, after the server has answered with this status. */
  static String validated(Forward why, Status status) {
    return forwarded(why) + "; fwd-status=" + status.code();
  }

  /** A stored response is the answer, because the server could not be asked. */
  static String unreachable(Forward why) {
    return forwarded(why) + "; detail=unreachable";
  }

  /** There is no stored response, and the request wants no other. */
  static String notCached() {
    return "heddle; detail=only-if-cached";
  }

  /** A response with the field, after those of caches that are nearer to the server. */
  static Response on(Response response, String value) {
    Headers headers = response.headers().toBuilder().add(NAME, value).build();
    return response.toBuilder().headers(headers).build();
  }
}
