package heddle.client.spi;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A proxy as one line of text: [scheme "://"] [user [":" password] "@"] host [":" port] ["/"]. */
final class ProxyUrl {
  private static final int MAX_PORT_DIGITS = 5;

  private ProxyUrl() {}

  static Proxy parse(String url) {
    String text = url.strip();
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
      throw malformed("it names no host");
    }
    Proxy proxy = of(scheme, authority);
    return at < 0 ? proxy : withUser(proxy, rest.substring(0, at));
  }

  private static Proxy of(String scheme, String authority) {
    int hostEnd = endOfHost(authority);
    String host = authority.substring(0, hostEnd);
    String port = hostEnd == authority.length() ? "" : authority.substring(hostEnd + 1);
    try {
      return switch (scheme) {
        case "http" -> Proxy.http(host, port(port, 80));
        case "https" -> Proxy.https(host, port(port, 443));
        case "socks5", "socks5h" -> Proxy.socks5(host, port(port, 1080));
        default ->
          // The text before the slashes may be part of a password.
          throw malformed("its scheme must be http, https, socks5 or socks5h"
              + (scheme.matches("[a-z0-9]{1,10}") ? ", not " + scheme : ""));
      };
    } catch (MalformedProxyException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw malformed(e.getMessage());
    }
  }

  /** The index of the colon before the port, or the end. */
  private static int endOfHost(String authority) {
    int from = 0;
    if (authority.charAt(0) == '[') {
      from = authority.indexOf(']');
      if (from < 0) {
        throw malformed("the bracket before the IPv6 address is not closed");
      }
    }
    int colon = authority.indexOf(':', from);
    return colon < 0 ? authority.length() : colon;
  }

  private static int port(String text, int preset) {
    if (text.isEmpty()) {
      return preset;
    }
    boolean number =
        text.length() <= MAX_PORT_DIGITS && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (!number) {
      throw malformed("the port must be a number from 1 to 65535, without a path behind it");
    }
    return Integer.parseInt(text);
  }

  private static Proxy withUser(Proxy proxy, String userInformation) {
    int colon = userInformation.indexOf(':');
    String user = colon < 0 ? userInformation : userInformation.substring(0, colon);
    String password = colon < 0 ? "" : userInformation.substring(colon + 1);
    try {
      return proxy.withCredentials(decoded(user), decoded(password));
    } catch (MalformedProxyException e) {
      throw e;
    } catch (IllegalArgumentException e) {
      throw malformed(e.getMessage());
    }
  }

  /** RFC 3986 section 2.1. */
  private static String decoded(String text) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream();
    byte[] given = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < given.length; i++) {
      if (given[i] != '%') {
        octets.write(given[i]);
        continue;
      }
      int high = i + 2 < given.length ? Character.digit(given[i + 1], 16) : -1;
      int low = i + 2 < given.length ? Character.digit(given[i + 2], 16) : -1;
      if (high < 0 || low < 0) {
        throw malformed("a % in the user name or password must be written as %25");
      }
      octets.write((high << 4) | low);
      i += 2;
    }
    return octets.toString(StandardCharsets.UTF_8);
  }

  private static MalformedProxyException malformed(@Nullable String why) {
    return new MalformedProxyException(why);
  }

  /** Its message does not show the text, which may hold a password. */
  private static final class MalformedProxyException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    MalformedProxyException(@Nullable String why) {
      super("malformed proxy: " + why + "; write http://host:port, with user:password@ before the"
          + " host if the proxy requires them");
    }
  }
}
