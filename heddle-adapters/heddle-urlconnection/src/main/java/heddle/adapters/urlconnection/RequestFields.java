package heddle.adapters.urlconnection;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import java.io.IOException;
import java.net.CookieHandler;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The fields of requests: the caller's, and those that the JDK's connections add. */
final class RequestFields {
  /** Fields that the JDK drops silently, unless a property allows them. */
  private static final Set<String> RESTRICTED = Set.of(
      "access-control-request-headers",
      "access-control-request-method",
      "connection",
      "content-transfer-encoding",
      "host",
      "keep-alive",
      "origin",
      "trailer",
      "upgrade",
      "via");

  /** Fields that Heddle alone sets, as they frame the message. */
  private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding");

  private static final boolean ALLOWS_RESTRICTED =
      Boolean.getBoolean("sun.net.http.allowRestrictedHeaders");

  private static final String USER_AGENT = userAgent(System.getProperty("http.agent"));

  private RequestFields() {}

  private static String userAgent(String given) {
    String java = "Java/" + System.getProperty("java.version");
    return given == null ? java : given + " " + java;
  }

  private static boolean isDropped(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (FRAMING.contains(lower)) {
      return true;
    }
    boolean restricted = RESTRICTED.contains(lower) || lower.startsWith("sec-");
    boolean closes = lower.equals("connection") && value.equalsIgnoreCase("close");
    return restricted && !closes && !ALLOWS_RESTRICTED;
  }

  /** Whether the caller may see a field that was set: credentials are not shown. */
  static boolean isSecret(String name) {
    return name.equalsIgnoreCase("Authorization") || name.equalsIgnoreCase("Proxy-Authorization");
  }

  /** The fields without credentials. */
  static Map<String, List<String>> shown(Map<String, List<String>> fields) {
    Map<String, List<String>> shown = new LinkedHashMap<>(fields);
    shown.keySet().removeIf(RequestFields::isSecret);
    return Collections.unmodifiableMap(shown);
  }

  /**
   * Makes the fields of a request.
   *
   * @param hasContent whether the caller writes content
   * @param sameServer whether it goes to the server that the caller named: only that one gets the
   *     caller's credentials and cookies
   * @param proxied whether a proxy forwards it, which then gets the field Proxy-Authorization
   * @throws IOException if the default CookieHandler throws it
   */
  static Headers of(
      Options options, URI uri, boolean hasContent, boolean sameServer, boolean proxied)
      throws IOException {
    Headers.Builder fields = Headers.builder();
    List<String> cookies = new ArrayList<>();
    options.fields().forEach((name, values) -> {
      for (String value : values) {
        if (value == null || isDropped(name, value)) {
          continue;
        }
        if (name.equalsIgnoreCase("Cookie")) {
          cookies.add(value);
        } else if (sends(name, sameServer, proxied)) {
          fields.add(HeaderName.of(name), value.strip());
        }
      }
    });
    if (!sameServer) {
      cookies.clear();
    }
    CookieHandler handler = CookieHandler.getDefault();
    if (handler != null) {
      handler.get(uri, options.fields()).forEach((name, values) -> {
        if (name.equalsIgnoreCase("Cookie")) {
          cookies.addAll(values);
        }
      });
    }
    if (!cookies.isEmpty()) {
      fields.add(HeaderName.COOKIE, String.join("; ", cookies));
    }
    addDefaults(fields, options, hasContent);
    return fields.build();
  }

  private static boolean sends(String name, boolean sameServer, boolean proxied) {
    return name.equalsIgnoreCase("Authorization")
        ? sameServer
        : proxied || !name.equalsIgnoreCase("Proxy-Authorization");
  }

  private static void addDefaults(Headers.Builder fields, Options options, boolean hasContent) {
    Headers own = fields.build();
    Map.of(HeaderName.USER_AGENT, USER_AGENT, HeaderName.ACCEPT, "*/*").forEach((name, value) -> {
      if (!own.contains(name)) {
        fields.add(name, value);
      }
    });
    if (!options.useCaches()) {
      if (!own.contains(HeaderName.CACHE_CONTROL)) {
        fields.add(HeaderName.CACHE_CONTROL, "no-cache");
      }
      if (!own.contains("Pragma")) {
        fields.add("Pragma", "no-cache");
      }
    }
    if (options.ifModifiedSince() != 0 && !own.contains(HeaderName.IF_MODIFIED_SINCE)) {
      Instant since = Instant.ofEpochMilli(options.ifModifiedSince());
      fields.add(HeaderName.IF_MODIFIED_SINCE, HttpDate.format(since));
    }
    if (hasContent && !options.method().equals("PUT") && !own.contains(HeaderName.CONTENT_TYPE)) {
      fields.add(HeaderName.CONTENT_TYPE, "application/x-www-form-urlencoded");
    }
    boolean keepsAlive = Boolean.parseBoolean(System.getProperty("http.keepAlive", "true"));
    if (!keepsAlive && !own.contains(HeaderName.CONNECTION)) {
      fields.add(HeaderName.CONNECTION, "close");
    }
  }
}
