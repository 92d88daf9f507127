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

/** Messages of the one library as those of the other. */
final class Messages {
  private static final String UPGRADE = "upgrade";

  private Messages() {}

  /**
   * A request as Heddle sends it. Its target is sent as it is, with a slash before it.
   *
   * @throws ProtocolException if it holds what HTTP does not allow, or what only a connection of
   *     Apache's own can do; the message says what
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

  /** What to throw where a request holds what HTTP does not allow. */
  static ProtocolException unsendable(Leased leased, IllegalArgumentException e) {
    return new ProtocolException(
        "the request to " + leased.origin() + " cannot be sent: " + e.getMessage(), e);
  }

  /**
   * What a request needs beside what was configured; null for that. HTTP/1.1 is what all begin
   * with. Heddle derives the authority of HTTP/2 from where a request goes, so that one which names
   * another is sent with a Host field.
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
          + " as its authority: over HTTP/2 this adapter sends that of the target alone; let the"
          + " version be negotiated or be HTTP/1.1");
    }
    return heddle.http.HttpVersion.HTTP_1_1;
  }

  private static boolean isOf(Origin origin, String host) {
    return host.equalsIgnoreCase(origin.hostHeader()) || host.equalsIgnoreCase(origin.authority());
  }

  /** Apache writes no Host field where HTTP/2 is forced, but knows the authority then. */
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

  /** A path that lacks its slash gets it, as a request line of Apache's may do without. */
  private static String target(HttpRequest request) {
    String path = request.getPath();
    if (path == null || path.isEmpty()) {
      return "/";
    }
    boolean whole = path.startsWith("/") || path.equals("*") || hasScheme(path);
    return whole ? path : "/" + path;
  }

  /** Such a target is another server's, and not to be mistaken for a path. */
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

  /** Content-Length and Transfer-Encoding say what is in the body; an upgrade is not offered. */
  private static boolean isSent(HeaderName name, Header field) throws ProtocolException {
    if (name == HeaderName.UPGRADE) {
      // Apache offers TLS by itself where it is told to. An offer need not be made.
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

  /** What an entity sends after its content. */
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

  /** The head of a response. */
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
