package heddle.cookies;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A line of Set-Cookie, understood as draft-ietf-httpbis-rfc6265bis section 5.6 says: whatever can
 * be understood is, and what cannot is ignored.
 *
 * @param domain as given, in small letters and without a dot before; empty where none was given
 * @param pathGiven whether there was a Path at all
 * @param path null for the default of the request's path
 * @param expires null for a cookie of the session
 */
record SetCookie(
    String name,
    String value,
    String domain,
    boolean pathGiven,
    @Nullable String path,
    boolean secure,
    boolean httpOnly,
    Cookie.SameSite sameSite,
    @Nullable Instant expires) {
  /** Octets of name and value together (section 5.6 step 5). */
  static final int MAX_NAME_AND_VALUE = 4096;

  /** Octets of an attribute's value. */
  static final int MAX_ATTRIBUTE = 1024;

  /** How long a cookie may live (section 5.5). */
  static final Duration MAX_AGE = Duration.ofDays(400);

  /** Digits that hold any number of seconds up to the longest life, and no overflow. */
  private static final int MOST_DIGITS = 18;

  /**
   * Reads a line.
   *
   * @param line one char for each octet
   * @return null where the whole line is to be ignored
   */
  static @Nullable SetCookie parse(String line, Instant now) {
    if (hasControl(line)) {
      return null;
    }
    int end = line.indexOf(';');
    String pair = end < 0 ? line : line.substring(0, end);
    int equals = pair.indexOf('=');
    String name = trim(equals < 0 ? "" : pair.substring(0, equals));
    String value = trim(pair.substring(equals + 1));
    // Section 5.7 step 2: nothing is no cookie.
    boolean empty = name.isEmpty() && value.isEmpty();
    if (empty || name.length() + value.length() > MAX_NAME_AND_VALUE) {
      return null;
    }
    return new Attributes(now).read(end < 0 ? "" : line.substring(end)).of(name, value);
  }

  /** Section 5.6 step 1: a tab may stand. */
  static boolean hasControl(String text) {
    return text.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 0x7F);
  }

  /** Without blanks at its ends. */
  static String trim(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (to > from && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  /** What the attributes say so far: of each kind, the last one that can be understood. */
  private static final class Attributes {
    private final Instant now;
    private String domain = "";
    private boolean pathGiven;
    private @Nullable String path;
    private boolean secure;
    private boolean httpOnly;
    private Cookie.SameSite sameSite = Cookie.SameSite.DEFAULT;
    private @Nullable Instant expires;
    private @Nullable Instant maxAge;

    Attributes(Instant now) {
      this.now = now;
    }

    /**
     * @param unparsed empty, or from a semicolon on
     */
    Attributes read(String unparsed) {
      for (int at = 0; at < unparsed.length(); ) {
        int next = unparsed.indexOf(';', at + 1);
        int end = next < 0 ? unparsed.length() : next;
        attribute(unparsed.substring(at + 1, end));
        at = end;
      }
      return this;
    }

    private void attribute(String text) {
      int equals = text.indexOf('=');
      String name = trim(equals < 0 ? text : text.substring(0, equals));
      String value = equals < 0 ? "" : trim(text.substring(equals + 1));
      if (value.length() > MAX_ATTRIBUTE) {
        return;
      }
      switch (name.toLowerCase(Locale.ROOT)) {
        case "expires" -> expires(value);
        case "max-age" -> maxAge(value);
        case "domain" ->
          domain = (value.startsWith(".") ? value.substring(1) : value).toLowerCase(Locale.ROOT);
        case "path" -> {
          pathGiven = true;
          path = value.startsWith("/") ? value : null;
        }
        case "secure" -> secure = true;
        case "httponly" -> httpOnly = true;
        case "samesite" -> sameSite = sameSite(value);
        default -> {
          // Section 5.6: unknown attributes are ignored.
        }
      }
    }

    private void expires(String value) {
      Instant date = CookieDate.parse(value);
      if (date != null) {
        Instant latest = now.plus(MAX_AGE);
        expires = date.isAfter(latest) ? latest : date;
      }
    }

    /** Section 5.6.2. */
    private void maxAge(String value) {
      boolean negative = value.startsWith("-");
      String digits = negative ? value.substring(1) : value;
      if (digits.isEmpty() || digits.chars().anyMatch(c -> c < '0' || c > '9')) {
        return;
      }
      String significant = digits.replaceFirst("^0+", "");
      if (negative || significant.isEmpty()) {
        maxAge = Instant.MIN;
      } else {
        long seconds = significant.length() > MOST_DIGITS
            ? MAX_AGE.toSeconds()
            : Math.min(MAX_AGE.toSeconds(), Long.parseLong(significant));
        maxAge = now.plusSeconds(seconds);
      }
    }

    private static Cookie.SameSite sameSite(String value) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "none" -> Cookie.SameSite.NONE;
        case "strict" -> Cookie.SameSite.STRICT;
        case "lax" -> Cookie.SameSite.LAX;
        default -> Cookie.SameSite.DEFAULT;
      };
    }

    /** Section 5.7 step 6: Max-Age counts before Expires. */
    SetCookie of(String name, String value) {
      return new SetCookie(
          name,
          value,
          domain,
          pathGiven,
          path,
          secure,
          httpOnly,
          sameSite,
          maxAge == null ? expires : maxAge);
    }
  }
}
