package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Trailers;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of what a connection's streams begin with. They nearly always name the same
 * origin, and often carry the very same fields, so the last of both are kept. Safe for use by many
 * threads.
 */
final class RequestOrigins {
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /** One reference, so that a race between answering threads costs a remake at most. */
  private volatile @Nullable Last last;

  /** The fields of a request as they came, and with Host. */
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
   * @throws IllegalArgumentException when its scheme, authority or path is none
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
      origin = origin(scheme, head.authority());
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

  private static Origin origin(String scheme, String authority) {
    int defaultPort = scheme.equals("https") ? HTTPS_PORT : HTTP_PORT;
    int colon = authority.lastIndexOf(':');
    if (colon < 0 || colon < authority.lastIndexOf(']')) {
      return new Origin(scheme, authority, defaultPort);
    }
    String port = authority.substring(colon + 1);
    return new Origin(
        scheme,
        authority.substring(0, colon),
        port.isEmpty() ? defaultPort : Integer.parseInt(port));
  }
}
