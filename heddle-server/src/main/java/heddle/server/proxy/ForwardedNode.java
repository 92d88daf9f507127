package heddle.server.proxy;

import heddle.http.syntax.Host;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A node of the way that a request took (RFC 7239 section 6).
 *
 * @param address null if the node is {@code unknown} or has an obfuscated name
 * @param port 0 if it is not known
 */
record ForwardedNode(@Nullable InetAddress address, int port) {
  private static final Pattern OBFUSCATED = Pattern.compile("_[A-Za-z0-9._-]+");
  private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");

  /**
   * Reads a node.
   *
   * @param bare whether an IPv6 address may come without brackets
   * @return null if the text is malformed
   */
  static @Nullable ForwardedNode parse(String text, boolean bare) {
    if (bare && text.indexOf(':') != text.lastIndexOf(':') && !text.startsWith("[")) {
      return of(text, "");
    }
    int nameEnd = text.startsWith("[") ? text.indexOf(']') + 1 : text.indexOf(':');
    nameEnd = nameEnd < 0 ? text.length() : nameEnd;
    String name = text.substring(0, nameEnd);
    String rest = text.substring(nameEnd);
    if (name.startsWith("[")) {
      String inner = name.substring(1, name.length() - 1);
      return inner.indexOf(':') < 0 ? null : of(inner, rest);
    }
    return of(name, rest);
  }

  private static @Nullable ForwardedNode of(String name, String rest) {
    int port = rest.isEmpty() ? 0 : port(rest);
    if (port < 0) {
      return null;
    }
    if (name.equalsIgnoreCase("unknown") || OBFUSCATED.matcher(name).matches()) {
      return new ForwardedNode(null, port);
    }
    InetAddress address = name.indexOf('%') >= 0 ? null : Host.address(name);
    return address == null ? null : new ForwardedNode(address, port);
  }

  /** What stands behind a name; -1 if it is malformed, 0 for an obfuscated port. */
  private static int port(String rest) {
    String text = rest.substring(1);
    if (rest.charAt(0) != ':') {
      return -1;
    }
    if (OBFUSCATED.matcher(text).matches()) {
      return 0;
    }
    int port = PORT.matcher(text).matches() ? Integer.parseInt(text) : -1;
    return port > 65_535 ? -1 : port;
  }

  /** The address of a node with its port; null if there is no node, or its address is not known. */
  static @Nullable InetSocketAddress addressOf(@Nullable ForwardedNode node) {
    InetAddress known = node == null ? null : node.address();
    return node == null || known == null ? null : new InetSocketAddress(known, node.port());
  }
}
