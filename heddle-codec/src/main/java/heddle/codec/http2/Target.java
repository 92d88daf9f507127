package heddle.codec.http2;

import java.nio.charset.StandardCharsets;

/** The syntax of what names the target of a request: RFC 9113 §8.3.1, RFC 3986. */
final class Target {
  private static final int MAX_PORT = 65_535;
  private static final byte[] TOKEN_MARKS = bytes("!#$%&'*+-.^_`|~");
  private static final byte[] NAME_MARKS = bytes("-._~!$&'()*+,;=");
  private static final int TOKEN = 1;
  private static final int NAME = 2;
  private static final int SCHEME = 4;
  private static final int HEX = 8;
  private static final byte[] CLASS = classes();

  private Target() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static byte[] classes() {
    byte[] table = new byte[256];
    for (int c = '0'; c <= '9'; c++) {
      table[c] = TOKEN | NAME | SCHEME | HEX;
    }
    for (int c = 'a'; c <= 'z'; c++) {
      int hex = c <= 'f' ? HEX : 0;
      table[c] = (byte) (TOKEN | NAME | SCHEME | hex);
      table[c - 'a' + 'A'] = table[c];
    }
    for (byte mark : TOKEN_MARKS) {
      table[mark] |= TOKEN;
    }
    for (byte mark : NAME_MARKS) {
      table[mark] |= NAME;
    }
    for (byte mark : bytes("+-.")) {
      table[mark] |= SCHEME;
    }
    return table;
  }

  private static boolean in(byte c, int octetClass) {
    return (CLASS[c & 0xFF] & octetClass) != 0;
  }

  private static boolean all(byte[] value, int octetClass) {
    for (byte each : value) {
      if (!in(each, octetClass)) {
        return false;
      }
    }
    return value.length > 0;
  }

  /** Whether it is a token, RFC 9110 §5.6.2. */
  static boolean isToken(byte[] value) {
    return all(value, TOKEN);
  }

  /** Whether it is a scheme, RFC 3986 §3.1. */
  static boolean isScheme(byte[] value) {
    return all(value, SCHEME) && (value[0] | 0x20) >= 'a' && (value[0] | 0x20) <= 'z';
  }

  /**
   * Whether it is a path with or without a query, or the asterisk where that is allowed. A fragment
   * is never sent (RFC 9110 §7.1), nor is what is not visible ASCII.
   */
  static boolean isPath(byte[] value, boolean asterisk) {
    if (value.length == 0 || (value[0] != '/' && !(asterisk && value[0] == '*'))) {
      return false;
    }
    for (byte each : value) {
      if (each <= 0x20 || each == 0x7F || each == '#') {
        return false;
      }
    }
    return value[0] == '/' || value.length == 1;
  }

  /**
   * Whether it is host [":" port], without user information, which RFC 9113 §8.3.1 forbids, and
   * with a host that is not empty (RFC 9110 §4.2.1).
   */
  static boolean isAuthority(byte[] value, boolean portRequired) {
    int hostEnd = value.length > 0 && value[0] == '[' ? endOfLiteral(value) : endOfName(value);
    if (hostEnd <= 0) {
      return false;
    }
    if (hostEnd == value.length) {
      return !portRequired;
    }
    return value[hostEnd] == ':' && isPort(value, hostEnd + 1, portRequired);
  }

  /** RFC 3986 §3.2.2: a port may be empty after its colon, unless it is asked for. */
  private static boolean isPort(byte[] value, int from, boolean required) {
    int port = 0;
    for (int i = from; i < value.length; i++) {
      if (value[i] < '0' || value[i] > '9' || i - from >= 5) {
        return false;
      }
      port = port * 10 + value[i] - '0';
    }
    return port <= MAX_PORT && !(required && from == value.length);
  }

  /** The index after the bracket that closes an IP literal, or -1. */
  private static int endOfLiteral(byte[] value) {
    int i = 1;
    boolean colon = false;
    while (i < value.length && (in(value[i], HEX) || value[i] == ':' || value[i] == '.')) {
      colon |= value[i] == ':';
      i++;
    }
    return i < value.length && value[i] == ']' && colon ? i + 1 : -1;
  }

  /** The index after a registered name or IPv4 address, RFC 3986 §3.2.2. */
  private static int endOfName(byte[] value) {
    int i = 0;
    while (i < value.length) {
      if (in(value[i], NAME)) {
        i++;
      } else if (value[i] == '%'
          && i + 2 < value.length
          && in(value[i + 1], HEX)
          && in(value[i + 2], HEX)) {
        i += 3;
      } else {
        return value[i] == '%' ? -1 : i;
      }
    }
    return i;
  }
}
