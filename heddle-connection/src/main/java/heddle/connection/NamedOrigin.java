package heddle.connection;

import heddle.http.Origin;
import heddle.transport.Channel;
import heddle.transport.SecureChannel;

/** Which origin a received request names. */
public final class NamedOrigin {
  private NamedOrigin() {}

  /** The scheme of what is received on a channel. */
  public static String schemeOf(Channel channel) {
    return channel instanceof SecureChannel ? "https" : "http";
  }

  /**
   * Checks what a client says about the scheme, which is not used otherwise.
   *
   * @throws IllegalArgumentException if it is neither http nor https
   */
  public static void checkScheme(String scheme) {
    if (!scheme.equalsIgnoreCase("http") && !scheme.equalsIgnoreCase("https")) {
      throw new IllegalArgumentException("the scheme is neither http nor https");
    }
  }

  /** The port if none is given, RFC 9110 §4.2. */
  public static int defaultPort(String scheme) {
    return scheme.equals("https") ? 443 : 80;
  }

  /**
   * The origin of a scheme and an authority, host [":" port], as in Host or :authority.
   *
   * @throws IllegalArgumentException if they are malformed; the message contains nothing that could
   *     be a password
   */
  public static Origin of(String scheme, String authority) {
    int colon = authority.lastIndexOf(':');
    if (colon < 0 || colon < authority.lastIndexOf(']')) {
      return new Origin(scheme, authority, defaultPort(scheme));
    }
    String port = authority.substring(colon + 1);
    return new Origin(
        scheme, authority.substring(0, colon), port.isEmpty() ? defaultPort(scheme) : port(port));
  }

  private static int port(String digits) {
    int port = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      if (c < '0' || c > '9') {
        throw new IllegalArgumentException("the port after the host is no number");
      }
      port = Math.min(65_536, 10 * port + c - '0');
    }
    return port;
  }
}
