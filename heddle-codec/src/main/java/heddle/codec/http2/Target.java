package heddle.codec.http2;

import heddle.http.syntax.Authority;
import heddle.http.syntax.Octets;

/** The syntax of a request's target: RFC 9113 §8.3.1, RFC 3986. */
final class Target {
  private Target() {}

  /** Whether it is a token, RFC 9110 §5.6.2. */
  static boolean isToken(byte[] value) {
    return value.length > 0 && Octets.indexOfNonToken(value, 0, value.length) < 0;
  }

  /** Whether it is a scheme, RFC 3986 §3.1. */
  static boolean isScheme(byte[] value) {
    return Octets.isScheme(value, 0, value.length);
  }

  /**
   * Whether it is a path with or without a query, or the asterisk if that is allowed. A fragment is
   * never sent (RFC 9110 §7.1), nor is what is not visible ASCII.
   */
  static boolean isPath(byte[] value, boolean asterisk) {
    if (value.length == 0 || (value[0] != '/' && !(asterisk && value[0] == '*'))) {
      return false;
    }
    for (byte each : value) {
      if (!Octets.isVisible(each) || each == '#') {
        return false;
      }
    }
    return value[0] == '/' || value.length == 1;
  }

  /** Whether it is host [":" port], without user information, which RFC 9113 §8.3.1 forbids. */
  static boolean isAuthority(byte[] value, boolean portRequired) {
    return Authority.isAuthority(value, 0, value.length, portRequired);
  }
}
