package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.Method;
import heddle.http.syntax.Octets;
import org.jspecify.annotations.Nullable;

/** The four forms of a request-target, RFC 9112 §3.2. */
final class RequestTarget {
  private static final String REG_NAME_MARKS = "-._~!$&'()*+,;=";
  private static final int MAX_PORT = 65_535;

  private RequestTarget() {}

  /** Refuses a target in none of the forms, or in one that the method does not go with. */
  static void check(Method method, byte[] buf, int off, int len) throws ProtocolException {
    String fault = fault(method, buf, off, len);
    if (fault != null) {
      throw new ProtocolException(Violation.MALFORMED_TARGET, fault);
    }
  }

  /** What is wrong with a target of at least one octet, or null when nothing is. */
  static @Nullable String fault(Method method, byte[] buf, int off, int len) {
    for (int i = off; i < off + len; i++) {
      // RFC 9112 §3.2: no white space; a fragment is never sent (RFC 9110 §7.1).
      if (!Octets.isVisible(buf[i]) || buf[i] == '#') {
        return Octets.describe(buf[i] & 0xFF) + " may not stand in" + named(buf, off, len);
      }
    }
    if (method == Method.CONNECT) {
      return isAuthority(buf, off, len, true)
          ? null
          : "CONNECT asks for host:port, not for" + named(buf, off, len);
    }
    if (buf[off] == '*' && len == 1) {
      // RFC 9112 §3.2.4
      return method == Method.OPTIONS ? null : "only OPTIONS goes with" + named(buf, off, len);
    }
    return buf[off] == '/' || isAbsolute(buf, off, len)
        ? null
        : "neither a path nor a URI with an authority:" + named(buf, off, len);
  }

  private static String named(byte[] buf, int off, int len) {
    return " the request-target " + OctetRanges.quote(buf, off, len);
  }

  /** Whether it is scheme "://" authority, and then nothing, a path or a query. */
  private static boolean isAbsolute(byte[] buf, int off, int len) {
    int end = off + len;
    int colon = OctetRanges.indexOf(buf, off, end, ':');
    if (colon < 0 || colon + 3 > end || buf[colon + 1] != '/' || buf[colon + 2] != '/') {
      return false;
    }
    if (!isScheme(buf, off, colon)) {
      return false;
    }
    int authority = colon + 3;
    int authorityEnd = authority;
    while (authorityEnd < end && buf[authorityEnd] != '/' && buf[authorityEnd] != '?') {
      authorityEnd++;
    }
    // No user information: RFC 9110 §4.2.4.
    return isAuthority(buf, authority, authorityEnd - authority, false);
  }

  private static boolean isScheme(byte[] buf, int from, int to) {
    if (from == to || !Octets.isAlpha(buf[from])) {
      return false;
    }
    for (int i = from; i < to; i++) {
      int c = buf[i];
      if (!Octets.isAlpha(c) && !Octets.isDigit(c) && c != '+' && c != '-' && c != '.') {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the octets are host [":" port] with a host that is not empty (RFC 9110 §4.2.1 has the
   * recipient reject an empty one).
   */
  static boolean isAuthority(byte[] buf, int off, int len, boolean portRequired) {
    int end = off + len;
    int hostEnd =
        len > 0 && buf[off] == '[' ? endOfLiteral(buf, off, end) : endOfName(buf, off, end);
    if (hostEnd <= off) {
      return false;
    }
    if (hostEnd == end) {
      return !portRequired;
    }
    return buf[hostEnd] == ':' && isPort(buf, hostEnd + 1, end, portRequired);
  }

  /** RFC 3986 §3.2.2: a port may be empty after its colon, unless it is asked for. */
  private static boolean isPort(byte[] buf, int from, int to, boolean required) {
    if (from == to) {
      return !required;
    }
    long port = to - from > 5 ? -1 : OctetRanges.decimal(buf, from, to - from);
    return port >= 0 && port <= MAX_PORT;
  }

  /** The index after the bracket that closes an IP literal, or -1. */
  private static int endOfLiteral(byte[] buf, int off, int end) {
    int i = off + 1;
    boolean colon = false;
    while (i < end && (Octets.isHex(buf[i]) || buf[i] == ':' || buf[i] == '.')) {
      colon |= buf[i] == ':';
      i++;
    }
    return i < end && buf[i] == ']' && colon ? i + 1 : -1;
  }

  /** The index after a registered name or IPv4 address, RFC 3986 §3.2.2. */
  private static int endOfName(byte[] buf, int off, int end) {
    int i = off;
    while (i < end) {
      int c = buf[i];
      if (c == '%') {
        if (i + 2 >= end || !Octets.isHex(buf[i + 1]) || !Octets.isHex(buf[i + 2])) {
          return -1;
        }
        i += 3;
      } else if (Octets.isAlpha(c) || Octets.isDigit(c) || REG_NAME_MARKS.indexOf(c) >= 0) {
        i++;
      } else {
        break;
      }
    }
    return i;
  }
}
