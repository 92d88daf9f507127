package heddle.adapters.apache5;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.InformationalListener;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.Trailers;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpVersion;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.ProtocolVersion;
import org.apache.hc.core5.http.UnsupportedHttpVersionException;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.net.URIAuthority;
import org.jspecify.annotations.Nullable;

/** Converts messages between Apache's client and Heddle. */
final class Messages {
  private static final String UPGRADE = "upgrade";

  private Messages() {}

  /**
   * Converts a request. Its target is sent unchanged, with a leading slash.
   *
   * @throws ProtocolException if it contains something that HTTP does not allow, or that only
   *     Apache's own connections support; the message says what
   */
  static Request request(
      Leased leased,
      HttpRequest request,
      Body body,
      Trailers trailers,
      InformationalListener interim)
      throws ProtocolException {
    Origin origin = leased.origin();
    heddle.http.HttpVersion version = version(leased, request);
    try {
      return Request.builder(origin, Method.of(request.getMethod()), target(request))
          .version(version)
          .headers(headers(request))
          .body(body)
          .trailers(trailers)
          .onInformational(interim)
          .noDeadline()
          .build();
    } catch (IllegalArgumentException e) {
      throw unsendable(leased, e);
    }
  }

  /** Returns the exception for a request that HTTP does not allow. */
  static ProtocolException unsendable(Leased leased, IllegalArgumentException e) {
    return new ProtocolException(
        "the request to " + leased.origin() + " cannot be sent: " + e.getMessage(), e);
  }

  /**
   * Returns the version that a request needs, or null for the configured one. Heddle derives the
   * authority of HTTP/2 from the origin, so a request that names another authority is sent over
   * HTTP/1.1 with a Host field.
   */
  private static heddle.http.@Nullable HttpVersion version(Leased leased, HttpRequest request)
      throws ProtocolException {
    ProtocolVersion asked = request.getVersion();
    boolean asksHttp2 = HttpVersion.HTTP_2.equals(asked);
    boolean known = asked == null || asked.equals(HttpVersion.HTTP_1_1);
    if (!known && !(asksHttp2 && leased.mayUseHttp2())) {
      throw new UnsupportedHttpVersionException(asked);
    }
    String host = host(request);
    if (host == null || !leased.mayUseHttp2() || isOf(leased.origin(), host)) {
      return asksHttp2 ? heddle.http.HttpVersion.HTTP_2 : null;
    }
    if (asksHttp2 || leased.isHttp2Forced()) {
      throw new ProtocolException("the request to " + leased.origin() + " names " + host
          + " as its authority: over HTTP/2 this adapter can only send that of the target; have the"
          + " version negotiated, or use HTTP/1.1");
    }
    return heddle.http.HttpVersion.HTTP_1_1;
  }

  private static boolean isOf(Origin origin, String host) {
    return host.equalsIgnoreCase(origin.hostHeader()) || host.equalsIgnoreCase(origin.authority());
  }

  /** If HTTP/2 is forced, Apache writes no Host field but sets the authority. */
  private static @Nullable String host(HttpRequest request) {
    Header field = request.getFirstHeader(HttpHeaders.HOST);
    if (field != null) {
      return field.getValue();
    }
    URIAuthority authority = request.getAuthority();
    if (authority == null) {
      return null;
    }
    String name = authority.getHostName();
    String host = name.indexOf(':') >= 0 && !name.startsWith("[") ? "[" + name + "]" : name;
    return authority.getPort() < 0 ? host : host + ":" + authority.getPort();
  }

  /** Adds a missing leading slash to the path, which Apache allows to be absent. */
  private static String target(HttpRequest request) {
    String path = request.getPath();
    if (path == null || path.isEmpty()) {
      return "/";
    }
    boolean whole = path.startsWith("/") || path.equals("*") || hasScheme(path);
    return whole ? path : "/" + path;
  }

  /** A target with a scheme may name another server, and must not be taken for a path. */
  private static boolean hasScheme(String path) {
    return path.regionMatches(true, 0, "http://", 0, 7)
        || path.regionMatches(true, 0, "https://", 0, 8);
  }

  private static Headers headers(HttpRequest request) throws ProtocolException {
    Headers.Builder headers = Headers.builder();
    for (Iterator<Header> all = request.headerIterator(); all.hasNext(); ) {
      Header field = all.next();
      HeaderName name = HeaderName.of(field.getName());
      if (isSent(name, field)) {
        String value = field.getValue();
        headers.add(name, value == null ? "" : value.strip());
      }
    }
    return headers.build();
  }

  /** Content-Length and Transfer-Encoding follow from the body; an upgrade is not offered. */
  private static boolean isSent(HeaderName name, Header field) throws ProtocolException {
    if (name == HeaderName.UPGRADE) {
      // Apache offers TLS if configured to. The offer may be omitted.
      String offer = String.valueOf(field.getValue());
      if (!offer.regionMatches(true, 0, "TLS/", 0, 4)) {
        throw new ProtocolException("the upgrade to " + offer + " cannot be offered: connections"
            + " of this adapter stay with HTTP; use Apache's own connection manager");
      }
      return false;
    }
    return name != HeaderName.CONTENT_LENGTH
        && name != HeaderName.TRANSFER_ENCODING
        && !(name == HeaderName.CONNECTION && UPGRADE.equalsIgnoreCase(field.getValue()));
  }

  /** The trailers of an entity. */
  static Trailers trailers(@Nullable HttpEntity entity) {
    var trailers = entity == null ? null : entity.getTrailers();
    if (trailers == null) {
      return Trailers.none();
    }
    return Trailers.of(() -> {
      Headers.Builder fields = Headers.builder();
      List<? extends Header> all = trailers.get();
      for (Header field : all == null ? List.<Header>of() : all) {
        fields.add(field.getName(), field.getValue());
      }
      return fields.build();
    });
  }

  /** Converts the head of a response. */
  static ClassicHttpResponse head(Response response) {
    ClassicHttpResponse head = head(response.status(), response.headers());
    head.setVersion(version(response));
    return head;
  }

  static HttpVersion version(Response response) {
    return switch (response.version()) {
      case HTTP_1_0 -> HttpVersion.HTTP_1_0;
      case HTTP_1_1 -> HttpVersion.HTTP_1_1;
      case HTTP_2 -> HttpVersion.HTTP_2;
    };
  }

  static ClassicHttpResponse head(Status status, Headers headers) {
    ClassicHttpResponse head = new BasicClassicHttpResponse(status.code(), status.reason());
    head.setVersion(HttpVersion.HTTP_1_1);
    for (int i = 0; i < headers.size(); i++) {
      head.addHeader(new BasicHeader(headers.name(i).toString(), headers.value(i)));
    }
    return head;
  }

  static List<Header> fields(Headers headers) {
    List<Header> fields = new ArrayList<>(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      fields.add(new BasicHeader(headers.name(i).toString(), headers.value(i)));
    }
    return fields;
  }
}
