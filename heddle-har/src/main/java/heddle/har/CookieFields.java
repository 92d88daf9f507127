package heddle.har;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.Redaction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The cookies of a message, as an entry lists them; a value is masked as its field is. */
final class CookieFields {
  private final Redaction redaction;

  CookieFields(Redaction redaction) {
    this.redaction = redaction;
  }

  /** The cookies of a request (RFC 6265 section 4.2). */
  List<Har.Cookie> sent(Headers fields) {
    List<Har.Cookie> cookies = new ArrayList<>();
    for (String value : fields.all(HeaderName.COOKIE)) {
      for (String pair : value.split(";", -1)) {
        cookies.add(new Attributes().cookie(HeaderName.COOKIE, pair));
      }
    }
    return cookies;
  }

  /** The cookies that a response sets (RFC 6265 section 4.1). */
  List<Har.Cookie> set(Headers fields) {
    List<Har.Cookie> cookies = new ArrayList<>();
    for (String value : fields.all(HeaderName.SET_COOKIE)) {
      String[] parts = value.split(";", -1);
      Attributes attributes = new Attributes();
      for (int i = 1; i < parts.length; i++) {
        attributes.add(parts[i]);
      }
      cookies.add(attributes.cookie(HeaderName.SET_COOKIE, parts[0]));
    }
    return cookies;
  }

  private final class Attributes {
    private @Nullable String path;
    private @Nullable String domain;
    private @Nullable String expires;
    private @Nullable Boolean httpOnly;
    private @Nullable Boolean secure;

    void add(String attribute) {
      int equals = attribute.indexOf('=');
      String name = equals < 0 ? attribute : attribute.substring(0, equals);
      String value = attribute.substring(equals + 1).strip();
      switch (name.strip().toLowerCase(Locale.ROOT)) {
        case "path" -> path = value;
        case "domain" -> domain = value;
        case "expires" -> expires = date(value);
        case "httponly" -> httpOnly = true;
        case "secure" -> secure = true;
        default -> {
          // The format has no field for it.
        }
      }
    }

    /** The date in ISO 8601; null for one that is not in a form of HTTP. */
    private static @Nullable String date(String value) {
      Instant date = HttpDate.parse(value);
      return date == null ? null : date.toString();
    }

    Har.Cookie cookie(HeaderName field, String pair) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? "" : pair.substring(0, equals).strip();
      String value = redaction.value(field, pair.substring(equals + 1).strip());
      return new Har.Cookie(name, value, path, domain, expires, httpOnly, secure);
    }
  }
}
