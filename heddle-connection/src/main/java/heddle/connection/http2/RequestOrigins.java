package heddle.connection.http2;

import heddle.codec.http2.Http2Event;
import heddle.connection.NamedOrigin;
import heddle.connection.RecentOrigins;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Trailers;
import heddle.transport.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests of the heads of a connection's streams. They nearly always name the same origin,
 * and often carry the same fields, so the last of both are kept. Safe for use by many threads.
 */
final class RequestOrigins {
  private final String ownScheme;
  private final RecentOrigins origins;

  /** One reference, so that a race between answering threads costs at most one more computation. */
  private volatile @Nullable Last last;

  /**
   * @param origins those of all connections
   */
  RequestOrigins(Channel channel, RecentOrigins origins) {
    this.ownScheme = NamedOrigin.schemeOf(channel);
    this.origins = origins;
  }

  /** The fields of a request as received, and with Host added. */
  private record Last(
      String scheme, String authority, Origin origin, Headers given, Headers fields) {}

  /**
   * The request, with the scheme of the connection, whatever the client says. A handler finds the
   * authority in Host, as in HTTP/1.1.
   *
   * @throws IllegalArgumentException if its scheme, authority or path is malformed
   */
  Request request(Http2Event.RequestHead head, Body body, Trailers trailers) {
    Last known = last;
    String scheme = head.scheme() == null ? "" : head.scheme();
    if (known == null
        || !known.authority().equals(head.authority())
        || !known.scheme().equals(scheme)) {
      NamedOrigin.checkScheme(scheme);
      known = remember(head, scheme, origins.of(ownScheme, head.authority()).origin());
    } else if (known.given() != head.headers()) { // immutable: the same instance, the same fields
      known = remember(head, scheme, known.origin());
    }
    return Request.received(
        known.origin(), head.method(), head.target(), known.fields(), body, trailers);
  }

  private Last remember(Http2Event.RequestHead head, String scheme, Origin origin) {
    Headers given = head.headers();
    Headers fields = given.contains(HeaderName.HOST)
        ? given
        : Headers.builder()
            .add(HeaderName.HOST, origin.hostHeader())
            .addAll(given)
            .build();
    Last made = new Last(scheme, head.authority(), origin, given, fields);
    last = made;
    return made;
  }
}
