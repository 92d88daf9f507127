package heddle.adapters.apache4;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import java.io.InputStream;
import org.apache.http.Header;
import org.apache.http.HeaderIterator;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.HttpVersion;
import org.apache.http.ProtocolException;
import org.apache.http.UnsupportedHttpVersionException;
import org.apache.http.entity.BasicHttpEntity;
import org.apache.http.message.BasicHttpResponse;
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
  static Request request(Leased leased, HttpRequest request, Body body, boolean onNewConnection)
      throws ProtocolException {
    if (!HttpVersion.HTTP_1_1.equals(request.getProtocolVersion())) {
      throw new UnsupportedHttpVersionException(request.getProtocolVersion()
          + " cannot be sent: connections of this adapter speak" + " HTTP/1.1");
    }
    try {
      String method = request.getRequestLine().getMethod();
      return Request.builder(leased.origin(), Method.of(method), target(leased, request))
          .headers(headers(request))
          .body(body)
          .noDeadline()
          .onNewConnection(onNewConnection)
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
   * Adds a missing leading slash. Apache writes the whole URI for proxies; so does Heddle, from the
   * path.
   */
  private static String target(Leased leased, HttpRequest request) {
    String uri = request.getRequestLine().getUri();
    Origin origin = leased.origin();
    if (leased.isForwarded() && uri.regionMatches(true, 0, "http://", 0, 7)) {
      int path = uri.indexOf('/', 7);
      int query = uri.indexOf('?', 7);
      int end = path < 0 || (query >= 0 && query < path) ? query : path;
      String named = uri.substring(7, end < 0 ? uri.length() : end);
      if (named.equalsIgnoreCase(origin.authority())
          || named.equalsIgnoreCase(origin.hostHeader())) {
        uri = end < 0 ? "" : uri.substring(end);
      }
    }
    boolean whole = uri.startsWith("/")
        || uri.equals("*")
        || uri.regionMatches(true, 0, "http://", 0, 7)
        || uri.regionMatches(true, 0, "https://", 0, 8);
    return whole ? uri : "/" + uri;
  }

  private static Headers headers(HttpRequest request) throws ProtocolException {
    Headers.Builder headers = Headers.builder();
    for (HeaderIterator all = request.headerIterator(); all.hasNext(); ) {
      Header field = all.nextHeader();
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
      throw new ProtocolException("the upgrade to " + field.getValue() + " cannot be offered:"
          + " connections of this adapter stay with HTTP; use Apache's own connection manager");
    }
    return name != HeaderName.CONTENT_LENGTH
        && name != HeaderName.TRANSFER_ENCODING
        && !(name == HeaderName.CONNECTION && UPGRADE.equalsIgnoreCase(field.getValue()));
  }

  /** Converts the head of a response. */
  static HttpResponse head(Response response) {
    HttpVersion version =
        switch (response.version()) {
          case HTTP_1_0 -> HttpVersion.HTTP_1_0;
          case HTTP_1_1, HTTP_2 -> HttpVersion.HTTP_1_1;
        };
    HttpResponse head = new BasicHttpResponse(
        version, response.status().code(), response.status().reason());
    Headers headers = response.headers();
    for (int i = 0; i < headers.size(); i++) {
      head.addHeader(headers.name(i).toString(), headers.value(i));
    }
    return head;
  }

  /** Whether a response may have content (RFC 9110 section 6.4.1). */
  static boolean mayHaveContent(HttpRequest request, Response response) {
    int status = response.status().code();
    return !request.getRequestLine().getMethod().equalsIgnoreCase("HEAD")
        && status >= 200
        && status != 204
        && status != 205
        && status != 304;
  }

  /**
   * Returns the entity of a response.
   *
   * @param content null if it is delivered in another way
   * @param streaming whether the connection is needed until the content is read
   */
  static BasicHttpEntity entity(
      Response response, HttpResponse head, @Nullable InputStream content, boolean streaming) {
    BasicHttpEntity entity = new BasicHttpEntity() {
      @Override
      public boolean isStreaming() {
        return streaming;
      }
    };
    if (content != null) {
      entity.setContent(content);
    }
    Headers headers = response.headers();
    boolean chunked = headers.containsToken(HeaderName.TRANSFER_ENCODING, "chunked");
    entity.setChunked(chunked);
    entity.setContentLength(
        chunked || !headers.contains(HeaderName.CONTENT_LENGTH)
            ? -1
            : response.body().length());
    entity.setContentType(head.getFirstHeader("Content-Type"));
    entity.setContentEncoding(head.getFirstHeader("Content-Encoding"));
    return entity;
  }
}
