package heddle.adapters.okhttp;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.InformationalListener;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Converts requests and fields between OkHttp and Heddle. */
final class Messages {
  private Messages() {}

  /**
   * Converts a request.
   *
   * @param left the remaining time of the call; null for no limit
   * @param informed gets informational responses; null for none
   * @throws ProtocolException if it contains something that HTTP does not allow; the message says
   *     what
   */
  static Request request(
      okhttp3.Request request,
      Body body,
      @Nullable Duration left,
      @Nullable InformationalListener informed)
      throws ProtocolException {
    HttpUrl url = request.url();
    try {
      Origin origin = new Origin(url.scheme(), url.host(), url.port());
      Method method = Method.of(request.method());
      Request.Builder builder = Request.builder(origin, method, target(url))
          .headers(headers(request.headers()))
          .body(body)
          .onInformational(informed);
      return (left == null ? builder.noDeadline() : builder.deadline(left)).build();
    } catch (IllegalArgumentException e) {
      ProtocolException refused = new ProtocolException(
          "the request to " + url.redact() + " cannot be sent: " + e.getMessage());
      refused.initCause(e);
      throw refused;
    }
  }

  private static String target(HttpUrl url) {
    String query = url.encodedQuery();
    String path = url.encodedPath();
    return withWholeEscapes(query == null ? path : path + "?" + query);
  }

  /**
   * Escapes a percent sign that begins no escape. OkHttp sends it unchanged, but RFC 3986 section
   * 2.1 does not allow that.
   */
  private static String withWholeEscapes(String target) {
    int at = target.indexOf('%');
    if (at < 0) {
      return target;
    }
    StringBuilder whole = new StringBuilder(target.length() + 8).append(target, 0, at);
    for (int i = at; i < target.length(); i++) {
      char c = target.charAt(i);
      whole.append(c);
      if (c == '%' && !isEscape(target, i)) {
        whole.append("25");
      }
    }
    return whole.toString();
  }

  private static boolean isEscape(String text, int i) {
    return i + 2 < text.length()
        && Character.digit(text.charAt(i + 1), 16) >= 0
        && Character.digit(text.charAt(i + 2), 16) >= 0;
  }

  private static Headers headers(okhttp3.Headers given) {
    Headers.Builder builder = Headers.builder();
    for (int i = 0; i < given.size(); i++) {
      builder.add(given.name(i), octets(given.value(i)));
    }
    return builder.build();
  }

  /** Converts a value to one char per octet. OkHttp writes fields in UTF-8. */
  private static String octets(String value) {
    return isAscii(value)
        ? value
        : new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  private static String text(String octets) {
    return isAscii(octets)
        ? octets
        : new String(octets.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) > 0x7F) {
        return false;
      }
    }
    return true;
  }

  /** Converts received fields, in order, with names in lower case over HTTP/2. */
  static okhttp3.Headers headers(Headers received, HttpVersion version) {
    boolean small = version == HttpVersion.HTTP_2;
    okhttp3.Headers.Builder builder = new okhttp3.Headers.Builder();
    for (int i = 0; i < received.size(); i++) {
      HeaderName name = received.name(i);
      builder.addUnsafeNonAscii(
          small ? name.lowerCase() : name.toString(), text(received.value(i)));
    }
    return builder.build();
  }

  /** The reason phrase; empty over HTTP/2 (RFC 9113 section 8.3.2). */
  static String phrase(heddle.http.Response received) {
    return received.version() == HttpVersion.HTTP_2 ? "" : received.status().reason();
  }

  /** The announced length; -1 for none. */
  static long announcedLength(heddle.http.Response received) {
    Headers headers = received.headers();
    if (headers.containsToken(HeaderName.TRANSFER_ENCODING, "chunked")) {
      return -1;
    }
    String value = headers.first(HeaderName.CONTENT_LENGTH);
    try {
      return value == null ? -1 : Long.parseLong(value);
    } catch (NumberFormatException e) {
      // Heddle rejects a malformed length of actual content, so there is none.
      return -1;
    }
  }
}
