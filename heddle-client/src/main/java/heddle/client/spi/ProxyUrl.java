package heddle.client.spi;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A proxy as one line of text: [scheme "://"] [user [":" password] "@"] host [":" port] ["/"]. */
final class ProxyUrl {
  private ProxyUrl() {}

  static Proxy parse(String url) {
    try {
      return proxy(url.strip());
    } catch (IllegalArgumentException e) {
      // Without the text and the cause, which may show a password.
      throw new IllegalArgumentException("malformed proxy: " + e.getMessage()
          + "; write http://host:port, with user:password@ before the host if the proxy requires"
          + " them");
    }
  }

  private static Proxy proxy(String text) {
    int schemeEnd = text.indexOf("://");
    String scheme = schemeEnd < 0 ? "http" : text.substring(0, schemeEnd).toLowerCase(Locale.ROOT);
    String rest = schemeEnd < 0 ? text : text.substring(schemeEnd + 3);
    // The last @: some users do not escape an @ in a password.
    int at = rest.lastIndexOf('@');
    String authority = rest.substring(at + 1);
    if (authority.endsWith("/")) {
      authority = authority.substring(0, authority.length() - 1);
    }
    if (authority.isEmpty()) {
      throw new IllegalArgumentException("it names no host");
    }
    Proxy proxy = of(scheme, authority);
    return at < 0 ? proxy : withUser(proxy, rest.substring(0, at));
  }

  private static Proxy of(String scheme, String authority) {
    int hostEnd = endOfHost(authority);
    String host = authority.substring(0, hostEnd);
    String port = hostEnd == authority.length() ? "" : authority.substring(hostEnd + 1);
    return switch (scheme) {
      case "http" -> Proxy.http(host, port(port, 80));
      case "https" -> Proxy.https(host, port(port, 443));
      case "socks5", "socks5h" -> Proxy.socks5(host, port(port, 1080));
      default ->
        // The text before the slashes may be part of a password.
        throw new IllegalArgumentException("its scheme must be http, https, socks5 or socks5h"
            + (scheme.matches("[a-z0-9]{1,10}") ? ", not " + scheme : ""));
    };
  }

  /** The index of the colon before the port, or the end. */
  private static int endOfHost(String authority) {
    int from = 0;
    if (authority.charAt(0) == '[') {
      from = authority.indexOf(']');
      if (from < 0) {
        throw new IllegalArgumentException("the bracket before the IPv6 address is not closed");
      }
    }
    int colon = authority.indexOf(':', from);
    return colon < 0 ? authority.length() : colon;
  }

  private static int port(String text, int preset) {
    if (text.isEmpty()) {
      return preset;
    }
    if (!text.matches("[0-9]{1,5}")) {
      throw new IllegalArgumentException(
          "the port must be a number from 1 to 65535, without a path behind it");
    }
    return Integer.parseInt(text);
  }

  private static Proxy withUser(Proxy proxy, String userInformation) {
    int colon = userInformation.indexOf(':');
    String user = colon < 0 ? userInformation : userInformation.substring(0, colon);
    String password = colon < 0 ? "" : userInformation.substring(colon + 1);
    return proxy.withCredentials(decoded(user), decoded(password));
  }

  /** RFC 3986 section 2.1, where + stands for itself. */
  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a % in the user name or password must be written as %25");
    }
  }
}
