package heddle.cookies;

import heddle.client.spi.CookieStore;
import heddle.http.Headers;
import heddle.http.Request;
import java.io.IOException;
import java.net.CookieHandler;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A store over a {@link java.net.CookieHandler} of the JDK, such as {@link java.net.CookieManager}.
 * The handler's rules apply: the JDK's manager knows no public suffixes. Thread-safe if the handler
 * is.
 */
public final class CookieHandlerStore implements CookieStore {
  /**
   * Visible characters that a URI must not contain (RFC 3986), some of which browsers do not
   * escape.
   */
  private static final String ILLEGAL = "\"<>\\^`{|}[]";

  private final CookieHandler handler;

  /** A store over this handler, such as a {@link java.net.CookieManager}. */
  public CookieHandlerStore(CookieHandler handler) {
    this.handler = handler;
  }

  @Override
  public String load(Request request) throws IOException {
    List<String> cookies = new ArrayList<>();
    handler.get(uri(request), fields(request.headers())).forEach((name, values) -> {
      if (name.equalsIgnoreCase("Cookie")) {
        cookies.addAll(values);
      }
    });
    return String.join("; ", cookies);
  }

  @Override
  public void save(Request request, List<String> setCookies) throws IOException {
    handler.put(uri(request), Map.of("Set-Cookie", setCookies));
  }

  private static URI uri(Request request) {
    String target = request.target().startsWith("/") ? request.target() : "/";
    StringBuilder uri = new StringBuilder(request.origin().scheme())
        .append("://")
        .append(request.origin().hostHeader());
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      uri.append(ILLEGAL.indexOf(c) < 0 ? String.valueOf(c) : "%%%02X".formatted((int) c));
    }
    return URI.create(uri.toString());
  }

  private static Map<String, List<String>> fields(Headers headers) {
    Map<String, List<String>> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Headers.Field field : headers) {
      fields.putIfAbsent(field.name().toString(), headers.all(field.name()));
    }
    return fields;
  }
}
