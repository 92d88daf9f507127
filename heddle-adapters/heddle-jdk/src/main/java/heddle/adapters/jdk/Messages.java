package heddle.adapters.jdk;

import heddle.http.Body;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Converts requests and responses between the JDK and Heddle. */
final class Messages {
  /** The User-Agent of the JDK's own client. */
  private static final String USER_AGENT = "Java-http-client/" + System.getProperty("java.version");

  private Messages() {}

  /**
   * Returns a request with what the JDK's builder would accept.
   *
   * @throws IllegalArgumentException if the JDK's builder would not accept it, or the method is
   *     CONNECT
   */
  static HttpRequest checked(HttpRequest request) {
    Objects.requireNonNull(request, "request");
    if ("CONNECT".equals(request.method())) {
      throw new IllegalArgumentException(
          "Unsupported method CONNECT: the client opens tunnels itself; set a ProxySelector");
    }
    // Other implementations may return anything, and something else each time.
    return request.getClass().getModule() == HttpRequest.class.getModule()
        ? request
        : HttpRequest.newBuilder(request, (name, value) -> true).build();
  }

  /**
   * Converts a request.
   *
   * @param extra fields that are put first, unless the request has them itself
   * @param forwarded whether a proxy forwards the request, and gets the fields that are for it
   * @throws IllegalArgumentException if something in the request cannot be sent; the message says
   *     what
   */
  static Request request(
      HttpRequest request, Settings settings, Body body, Headers extra, boolean forwarded) {
    Request.Builder made = Request.builder(
            origin(request.uri()), Method.of(request.method()), target(request.uri()))
        .headers(fields(request, settings, extra, forwarded))
        .body(body)
        // Null to negotiate it over TLS, and for HTTP/1.1 in cleartext.
        .version(preferred(request, settings) == Version.HTTP_1_1 ? HttpVersion.HTTP_1_1 : null);
    if (request.expectContinue()) {
      made.expectContinue();
    }
    return made.build();
  }

  private static Version preferred(HttpRequest request, Settings settings) {
    return request.version().orElse(settings.version());
  }

  static boolean isSecure(URI uri) {
    return "https".equalsIgnoreCase(uri.getScheme());
  }

  static Origin origin(URI uri) {
    boolean secure = isSecure(uri);
    int port = uri.getPort() < 0 ? (secure ? 443 : 80) : uri.getPort();
    return new Origin(secure ? "https" : "http", uri.getHost(), port);
  }

  /** Path and query, with characters outside ASCII percent-encoded as UTF-8. */
  private static String target(URI uri) {
    String target = pathAndQuery(uri);
    return target.chars().allMatch(c -> c < 0x80)
        ? target
        : pathAndQuery(URI.create(uri.toASCIIString()));
  }

  private static String pathAndQuery(URI uri) {
    String path = uri.getRawPath();
    String query = uri.getRawQuery();
    String target = path == null || path.isEmpty() ? "/" : path;
    return query == null || query.isEmpty() ? target : target + "?" + query;
  }

  private static Headers fields(
      HttpRequest request, Settings settings, Headers extra, boolean forwarded) {
    HttpHeaders given = request.headers();
    Headers.Builder fields = Headers.builder().addAll(extra);
    if (given.firstValue("User-Agent").isEmpty()) {
      fields.add(HeaderName.USER_AGENT, USER_AGENT);
    }
    if (settings.priority() > 0
        && isSecure(request.uri())
        && preferred(request, settings) == Version.HTTP_2
        && given.firstValue("Priority").isEmpty()) {
      fields.add(HeaderName.PRIORITY, "u=" + urgency(settings.priority()));
    }
    given.map().forEach((name, values) -> addAll(fields, HeaderName.of(name), values, forwarded));
    return fields.build();
  }

  /** RFC 9218 section 4.1: 0 is the most urgent of 8 values, and 3 is the default. */
  private static int urgency(int weight) {
    return 7 - (weight - 1) / 32;
  }

  private static void addAll(
      Headers.Builder fields, HeaderName name, List<String> values, boolean forwarded) {
    boolean isOfContent = name == HeaderName.CONTENT_LENGTH; // The publisher sets it.
    boolean isForProxy = name.lowerCase().startsWith("proxy-"); // Only for proxies.
    boolean isCookie = name == HeaderName.COOKIE; // Merged with others in one field.
    if (!isOfContent && !isCookie && (forwarded || !isForProxy)) {
      values.forEach(value -> fields.add(name, value));
    }
  }

  /** Whether a field can hold a text (RFC 9110 section 5.5). */
  static boolean isFieldValue(String text) {
    return text.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= 0xFF && c != 0x7F));
  }

  /** Converts the fields of a response. Names are in lower case, as from the JDK's client. */
  static HttpHeaders headers(Headers fields) {
    Map<String, List<String>> map = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < fields.size(); i++) {
      map.computeIfAbsent(fields.name(i).lowerCase(), name -> new ArrayList<>(1))
          .add(fields.value(i));
    }
    return HttpHeaders.of(map, (name, value) -> true);
  }

  /** The scheme in lower case, such as {@code http}. */
  static String scheme(URI uri) {
    String scheme = uri.getScheme();
    return scheme == null ? "" : scheme.toLowerCase(Locale.ROOT);
  }
}
