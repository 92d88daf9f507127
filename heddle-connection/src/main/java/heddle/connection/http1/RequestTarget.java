package heddle.connection.http1;

import heddle.codec.Event;
import heddle.connection.NamedOrigin;
import heddle.connection.RecentOrigins.Named;
import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Trailers;
import heddle.transport.Channel;
import java.net.InetSocketAddress;

/** Finds out which origin a request is meant for (RFC 9112 §3.3). */
final class RequestTarget {
  private static final String HTTP = "http://";
  private static final String HTTPS = "https://";

  private RequestTarget() {}

  /**
   * The request, with its target in origin-form and the scheme of the connection, whatever an
   * absolute-form says. On the answering thread.
   *
   * @throws IllegalArgumentException if the target or Host is malformed
   */
  static Request request(
      Http1ServerConnection connection, Event.RequestHead head, Body body, Trailers trailers) {
    String target = head.target();
    Origin origin;
    if (target.startsWith("/") || target.equals("*")) {
      origin = originOf(connection, head.headers());
    } else {
      // Absolute-form: its authority takes the place of Host, RFC 9112 §3.2.2.
      boolean secure = target.regionMatches(true, 0, HTTPS, 0, HTTPS.length());
      if (!secure && !target.regionMatches(true, 0, HTTP, 0, HTTP.length())) {
        throw new IllegalArgumentException(
            "the request-target is neither a path nor a URL of http or https");
      }
      int authority = secure ? HTTPS.length() : HTTP.length();
      int end = endOfAuthority(target, authority);
      origin = NamedOrigin.of(
          NamedOrigin.schemeOf(connection.channel()), target.substring(authority, end));
      target = pathOf(head.method(), target.substring(end));
    }
    return Request.received(origin, head.method(), target, head.headers(), body, trailers);
  }

  /** The target behind an authority. */
  private static String pathOf(Method method, String rest) {
    if (rest.startsWith("/")) {
      return rest;
    }
    // RFC 9112 §3.2.4: a proxy that passes on OPTIONS for a whole server has no other form.
    return rest.isEmpty() && method.equals(Method.OPTIONS) ? "*" : "/" + rest;
  }

  private static int endOfAuthority(String target, int authority) {
    int end = authority;
    while (end < target.length() && "/?".indexOf(target.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  /** The requests of one connection nearly always name the same host, so the last one is kept. */
  private static Origin originOf(Http1ServerConnection connection, Headers headers) {
    int at = headers.indexOf(HeaderName.HOST, 0);
    if (at < 0 || headers.valueLength(at) == 0) {
      // HTTP/1.0 has no Host; it is empty without authority, RFC 9110 §7.2.
      return ownOrigin(connection.channel());
    }
    Named last = connection.lastOrigin;
    if (last == null || !headers.valueEquals(at, last.authority())) {
      String scheme = NamedOrigin.schemeOf(connection.channel());
      last = connection.resources().origins().of(scheme, headers.value(at));
      connection.lastOrigin = last;
    }
    return last.origin();
  }

  private static Origin ownOrigin(Channel channel) {
    String scheme = NamedOrigin.schemeOf(channel);
    if (channel.localAddress() instanceof InetSocketAddress inet && inet.getPort() > 0) {
      return new Origin(scheme, inet.getHostString(), inet.getPort());
    }
    return new Origin(scheme, "localhost", NamedOrigin.defaultPort(scheme));
  }
}
