package heddle.codec.http1;

import heddle.codec.ProtocolException;
import heddle.codec.ProtocolException.Violation;
import heddle.http.Method;
import heddle.http.syntax.Authority;
import heddle.http.syntax.Octets;
import org.jspecify.annotations.Nullable;

/** The four forms of a request-target, RFC 9112 §3.2. */
final class RequestTarget {
  private RequestTarget() {}

  /** Refuses a target in none of the forms, or in one that does not fit the method. */
  static void check(Method method, byte[] buf, int off, int len) throws ProtocolException {
    String fault = fault(method, buf, off, len);
    if (fault != null) {
      throw new ProtocolException(Violation.MALFORMED_TARGET, fault);
    }
  }

  /** What is wrong with a target of at least one octet, or null if it is valid. */
  static @Nullable String fault(Method method, byte[] buf, int off, int len) {
    for (int i = off; i < off + len; i++) {
      // RFC 9112 §3.2: no white space; a fragment is never sent (RFC 9110 §7.1).
      if (!Octets.isVisible(buf[i]) || buf[i] == '#') {
        return Octets.describe(buf[i] & 0xFF) + " may not stand in" + named(buf, off, len);
      }
    }
    if (method == Method.CONNECT) {
      return Authority.isAuthority(buf, off, len, true)
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
    if (!Octets.isScheme(buf, off, colon - off)) {
      return false;
    }
    int authority = colon + 3;
    int authorityEnd = authority;
    while (authorityEnd < end && buf[authorityEnd] != '/' && buf[authorityEnd] != '?') {
      authorityEnd++;
    }
    // No user information: RFC 9110 §4.2.4.
    return Authority.isAuthority(buf, authority, authorityEnd - authority, false);
  }
}
