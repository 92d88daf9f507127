package heddle.http.syntax;

/** The authority that a request names, as octets: host [":" port], RFC 3986 section 3.2. */
public final class Authority {
  private Authority() {}

  /**
   * Whether the octets are host [":" port], without user information and with a host that is not
   * empty (RFC 9110 section 4.2.1 has the recipient reject an empty one).
   */
  public static boolean isAuthority(byte[] buf, int off, int len, boolean portRequired) {
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

  /** RFC 3986 section 3.2.2: a port may be empty after its colon, unless it is asked for. */
  private static boolean isPort(byte[] buf, int from, int to, boolean required) {
    if (from == to) {
      return !required;
    }
    long port = to - from > 5 ? -1 : Octets.decimal(buf, from, to - from);
    return port >= 0 && port <= 65_535;
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

  /** The index after a registered name or IPv4 address, RFC 3986 section 3.2.2; or -1. */
  private static int endOfName(byte[] buf, int off, int end) {
    int i = off;
    while (i < end) {
      int c = buf[i];
      if (Octets.isRegName(c)) {
        i++;
      } else if (c == '%') {
        if (i + 2 >= end || !Octets.isHex(buf[i + 1]) || !Octets.isHex(buf[i + 2])) {
          return -1;
        }
        i += 3;
      } else {
        break;
      }
    }
    return i;
  }
}
