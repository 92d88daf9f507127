package heddle.cookies;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A value of Set-Cookie, parsed by draft-ietf-httpbis-rfc6265bis section 5.6, which ignores what is
 * malformed.
 *
 * @param domain from the attribute, in lower case and without a leading dot; empty for none
 * @param pathGiven whether there was a Path attribute
 * @param path null for the default of the request's path
 * @param expires null for a session cookie
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
  /** The limit of name and value together, in octets (section 5.6 step 5). */
  static final int MAX_NAME_AND_VALUE = 4096;

  /** The limit of an attribute's value, in octets. */
  static final int MAX_ATTRIBUTE = 1024;

  /** The maximum lifetime of a cookie (section 5.5). */
  static final Duration MAX_AGE = Duration.ofDays(400);

  /** The number of digits that a long holds without overflow, enough for the maximum lifetime. */
  private static final int MOST_DIGITS = 18;

  /**
   * Parses a value.
   *
   * @param line one char per octet
   * @return null if the whole value must be ignored
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
    // Section 5.7 step 2: an empty cookie is ignored.
    boolean empty = name.isEmpty() && value.isEmpty();
    if (empty || name.length() + value.length() > MAX_NAME_AND_VALUE) {
      return null;
    }
    return new Attributes(now).read(end < 0 ? "" : line.substring(end)).of(name, value);
  }

  /** Section 5.6 step 1: a tab is allowed. */
  static boolean hasControl(String text) {
    return text.chars().anyMatch(c -> c < ' ' && c != '\t' || c == 0x7F);
  }

  /** Removes surrounding blanks. */
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

  /** The attributes read so far: the last valid one of each name. */
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
     * @param unparsed empty, or beginning with a semicolon
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

    /** Section 5.7 step 6: Max-Age overrides Expires. */
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
