package heddle.http.syntax;

import java.util.Locale;

/**
 * An http or https URL taken apart (RFC 9110 section 4.2), without its fragment.
 *
 * @param secure whether the scheme is https
 * @param host in small letters; an IPv6 address without its brackets
 * @param port 1 to 65535
 * @param target the path and query exactly as given, never empty
 */
public record Url(boolean secure, String host, int port, String target) {
  /**
   * Takes apart an absolute http or https URL, or the {@linkplain Iri IRI} that means one. The
   * message of an exception says what is wrong, at which index, and what to write instead, and
   * shows the place; it holds nothing that could be a password.
   */
  public static Url parse(String url) {
    try {
      return checked(url);
    } catch (SyntaxException e) {
      throw e.pointingInto(url);
    }
  }

  private static Url checked(String url) {
    boolean secure = isSecure(url);
    int start = secure ? "https://".length() : "http://".length();
    int end = start;
    int at = -1;
    int colon = -1;
    boolean inBrackets = false;
    for (; end < url.length() && "/?#".indexOf(url.charAt(end)) < 0; end++) {
      switch (url.charAt(end)) {
        case '@' -> at = end;
        case '[' -> inBrackets = true;
        case ']' -> inBrackets = false;
        case ':' -> colon = inBrackets ? colon : end;
        default -> {}
      }
    }
    if (at >= 0) {
      throw new SyntaxException(
          start, "user information at index " + start + " is refused: send credentials in a field");
    }
    int hostEnd = colon >= 0 ? colon : end;
    if (!Iri.isAscii(url)) {
      return parse(Iri.toUrl(url, start, hostEnd));
    }
    String host = Host.parse(url, start, hostEnd);
    int port = colon < 0 ? secure ? 443 : 80 : port(url, colon + 1, end);
    return new Url(secure, host, port, target(url, end));
  }

  /** Whether the text begins as an absolute http or https URL does. */
  public static boolean isAbsolute(String text) {
    return startsWithIgnoreCase(text, "http://") || startsWithIgnoreCase(text, "https://");
  }

  private static boolean isSecure(String url) {
    if (isAbsolute(url)) {
      return startsWithIgnoreCase(url, "https");
    }
    int colon = url.indexOf("://");
    if (colon > 0 && Octets.indexOfNonToken(url.substring(0, colon)) < 0) {
      String scheme = url.substring(0, colon).toLowerCase(Locale.ROOT);
      throw new SyntaxException(
          0, "scheme " + scheme + " is not supported: the URL must begin with http:// or https://");
    }
    throw new SyntaxException(0, "the URL must begin with http:// or https://");
  }

  /** Of ASCII letters alone: for String a long s is an s too. */
  private static boolean startsWithIgnoreCase(String text, String start) {
    for (int i = 0; i < start.length(); i++) {
      if (i == text.length() || Octets.lower(text.charAt(i)) != start.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static int port(String url, int from, int to) {
    int port = 0;
    for (int i = from; i < to; i++) {
      int c = url.charAt(i);
      if (!Octets.isDigit(c)) {
        throw new SyntaxException(
            i, Octets.describe(c) + " at index " + i + " in the port: write digits only");
      }
      port = Math.min(65_536, port * 10 + c - '0');
    }
    if (port < 1 || port > 65_535) {
      throw new SyntaxException(
          from,
          from == to
              ? "no port after the colon at index " + (from - 1) + ": write one, or no colon"
              : "port at index " + from + " is not between 1 and 65535");
    }
    return port;
  }

  private static String target(String url, int from) {
    int to = checkPathAndQuery(url, from);
    if (from == to) {
      return "/";
    }
    String target = url.substring(from, to);
    // RFC 9112 section 3.2.1: an empty path is sent as a slash.
    return target.charAt(0) == '/' ? target : "/" + target;
  }

  /** Returns where the path and query end: at the fragment or the end of the text. */
  private static int checkPathAndQuery(String url, int from) {
    boolean query = false;
    for (int i = from; i < url.length(); i++) {
      int c = url.charAt(i);
      if (c == '#') {
        return i;
      }
      query |= c == '?';
      if (query ? !Octets.isQuery(c) : !Octets.isPath(c)) {
        throw illegal(c, i, query ? "query" : "path");
      }
      if (c == '%') {
        checkEscape(url, i);
      }
    }
    return url.length();
  }

  private static IllegalArgumentException illegal(int c, int index, String part) {
    String remedy = c == '{' || c == '}'
        ? "give a value for the placeholder, or write it as %%%02X".formatted(c)
        : c < 0x80 ? "write it as %%%02X".formatted(c) : "percent-encode its UTF-8 octets";
    return new SyntaxException(
        index,
        "%s at index %d may not stand in a %s: %s"
            .formatted(Octets.describe(c), index, part, remedy));
  }

  private static void checkEscape(String text, int i) {
    if (!PercentDecoder.isEscape(text, i, text.length())) {
      throw new SyntaxException(
          i, "'%' at index " + i + " needs two hexadecimal digits: write %25 for a percent sign");
    }
  }

  /**
   * Checks a request-target in origin-form (RFC 9112 section 3.2.1) as peers send it: visible
   * ASCII, no fragment, whole escapes. Marks that browsers do not encode, such as |, are allowed.
   */
  public static void checkOriginForm(String target) {
    if (target.isEmpty() || target.charAt(0) != '/') {
      throw new IllegalArgumentException("a request-target begins with a slash, or is *");
    }
    for (int i = 0; i < target.length(); i++) {
      int c = target.charAt(i);
      if (!Octets.isVisible(c) || c == '#') {
        throw illegal(c, i, "request-target");
      }
      if (c == '%') {
        checkEscape(target, i);
      }
    }
  }

  /** Checks a request-target in authority-form (RFC 9112 section 3.2.3): host, colon and port. */
  public static void checkAuthorityForm(String target) {
    int colon = target.lastIndexOf(':');
    if (colon < 0) {
      throw new IllegalArgumentException("the target of CONNECT is a host, a colon and a port");
    }
    Host.parse(target, 0, colon);
    port(target, colon + 1, target.length());
  }
}
