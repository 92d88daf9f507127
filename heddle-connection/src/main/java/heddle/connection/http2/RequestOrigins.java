package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.connection.NamedOrigin;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Trailers;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of the heads of a connection's streams. They nearly always name the same origin,
 * and often carry the same fields, so the last of both are kept. Safe for use by many threads.
 */
final class RequestOrigins {
  /** One reference, so that a race between answering threads costs at most one more computation. */
  private volatile @Nullable Last last;

  /** The fields of a request as received, and with Host added. */
  private record Last(
      String scheme, String authority, Origin origin, Headers given, Headers fields) {
    @SuppressWarnings("ReferenceEquality") // immutable: the same instance is the same fields
    boolean isOf(Headers headers) {
      return given == headers;
    }
  }

  /**
   * The request. A handler finds the authority in Host, as in HTTP/1.1.
   *
   * @throws IllegalArgumentException if its scheme, authority or path is malformed
   */
  Request request(Http2Event.RequestHead head, Body body, Trailers trailers) {
    Last known = last;
    String scheme = head.scheme() == null ? "" : head.scheme();
    Origin origin;
    if (known != null
        && known.authority().equals(head.authority())
        && known.scheme().equals(scheme)) {
      origin = known.origin();
    } else {
      origin = NamedOrigin.of(scheme, head.authority());
      known = null;
    }
    if (known == null || !known.isOf(head.headers())) {
      known = new Last(scheme, head.authority(), origin, head.headers(), withHost(head, origin));
      last = known;
    }
    return Request.received(origin, head.method(), head.target(), known.fields(), body, trailers);
  }

  private static Headers withHost(Http2Event.RequestHead head, Origin origin) {
    Headers given = head.headers();
    if (given.contains(HeaderName.HOST)) {
      return given;
    }
    return Headers.builder()
        .add(HeaderName.HOST, origin.hostHeader())
        .addAll(given)
        .build();
  }
}
