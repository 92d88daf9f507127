package heddle.web;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cookies of a request (RFC 6265bis section 4.2.1), read as leniently as clients write them:
 * what has no name is skipped, values are kept unchanged, quotes included.
 */
final class RequestCookies {
  /** The most that are taken into memory at once; browsers send fewer. */
  static final int MOST = 300;

  private RequestCookies() {}

  /** Called with name and value; returns whether to go on. */
  private interface Visitor {
    boolean visit(String name, String value);
  }

  /** The value of the first cookie with this name; null if there is none. */
  static @Nullable String first(Headers headers, String name) {
    @Nullable String[] found = new @Nullable String[1];
    forEach(headers, (each, value) -> {
      found[0] = each.equals(name) ? value : null;
      return found[0] == null;
    });
    return found[0];
  }

  /** The first cookie of each name, in their order. */
  static Map<String, String> all(Headers headers) {
    Map<String, String> all = new LinkedHashMap<>();
    forEach(headers, (name, value) -> {
      all.putIfAbsent(name, value);
      return all.size() < MOST;
    });
    return Collections.unmodifiableMap(all);
  }

  /** HTTP/2 may send each cookie in a field (RFC 9113 section 8.2.3). */
  private static void forEach(Headers headers, Visitor visitor) {
    for (int i = headers.indexOf(HeaderName.COOKIE, 0);
        i >= 0;
        i = headers.indexOf(HeaderName.COOKIE, i + 1)) {
      String text = headers.value(i);
      for (int start = 0; start < text.length(); ) {
        int semicolon = text.indexOf(';', start);
        int end = semicolon < 0 ? text.length() : semicolon;
        int equals = text.indexOf('=', start, end);
        if (equals >= 0) {
          String name = text.substring(start, equals).strip();
          if (!name.isEmpty()
              && !visitor.visit(name, text.substring(equals + 1, end).strip())) {
            return;
          }
        }
        start = end + 1;
      }
    }
  }
}
