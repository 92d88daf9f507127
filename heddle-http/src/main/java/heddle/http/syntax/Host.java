package heddle.http.syntax;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The host of an origin (RFC 3986 section 3.2.2): a name, an IPv4 or an IPv6 address. */
public final class Host {
  private Host() {}

  /**
   * Checks a host and puts it in small letters.
   *
   * @param text holds the host from {@code from} to {@code to}; an IPv6 address is in brackets
   * @return the host; an IPv6 address without its brackets
   * @throws IllegalArgumentException if it is not a host; the message says why and at which index
   */
  public static String parse(String text, int from, int to) {
    if (from == to) {
      throw new SyntaxException(from, "no host at index " + from + ": write a name or address");
    }
    if (text.charAt(from) == '[') {
      return parseBracketed(text, from, to);
    }
    for (int i = from; i < to; i++) {
      int c = text.charAt(i);
      if (!Octets.isRegName(c)) {
        throw new SyntaxException(
            i, Octets.describe(c) + " at index " + i + " in the host: " + remedy(c));
      }
    }
    String host = text.substring(from, to).toLowerCase(Locale.ROOT);
    checkNumeric(host, from);
    return host;
  }

  private static String remedy(int c) {
    return switch (c) {
      case ':' -> "put an IPv6 address in brackets";
      case '[', ']' -> "brackets stand around an IPv6 address alone";
      default -> c < 0x80 ? "remove it" : "write an international name in its ASCII form (xn--...)";
    };
  }

  private static String parseBracketed(String text, int from, int to) {
    if (text.charAt(to - 1) != ']') {
      throw new SyntaxException(
          from, "the IPv6 address at index " + from + " must end with a bracket before the port");
    }
    String address = text.substring(from + 1, to - 1);
    if (!isIpv6(address)) {
      throw new SyntaxException(
          from, "no IPv6 address between the brackets at index " + from + " (zones are refused)");
    }
    return address.toLowerCase(Locale.ROOT);
  }

  /**
   * Resolvers read 127.1, 0x7f.1 and 2130706433 as addresses that filters do not recognise, so a
   * host whose last label is a number must be a plain IPv4 address.
   */
  private static void checkNumeric(String host, int index) {
    int end = host.endsWith(".") ? host.length() - 1 : host.length();
    int start = host.lastIndexOf('.', end - 1) + 1;
    if (isNumber(host, start, end) && !isIpv4(host)) {
      throw new SyntaxException(
          index,
          "the host at index " + index
              + " ends with a number but is no IPv4 address: write four numbers from 0 to 255");
    }
  }

  private static boolean isNumber(String text, int from, int to) {
    boolean hexadecimal = text.startsWith("0x", from);
    return to > from && areDigits(text, hexadecimal ? from + 2 : from, to, hexadecimal);
  }

  private static boolean areDigits(String text, int from, int to, boolean hexadecimal) {
    for (int i = from; i < to; i++) {
      int c = text.charAt(i);
      if (hexadecimal ? !Octets.isHex(c) : !Octets.isDigit(c)) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@code text} is four numbers from 0 to 255 without leading zeros. */
  private static boolean isIpv4(String text) {
    int at = 0;
    for (int numbers = 1; numbers <= 4; numbers++) {
      int dot = text.indexOf('.', at);
      if (!isByte(text, at, dot < 0 ? text.length() : dot)) {
        return false;
      }
      if (dot < 0) {
        return numbers == 4;
      }
      at = dot + 1;
    }
    return false;
  }

  private static boolean isByte(String text, int from, int to) {
    int length = to - from;
    return (length == 1 || (length == 2 || length == 3) && text.charAt(from) != '0')
        && areDigits(text, from, to, false)
        && Integer.parseInt(text, from, to, 10) <= 255;
  }

  /** Whether {@code text} is an IPv6 address without brackets and zone (RFC 3986's grammar). */
  public static boolean isIpv6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text, true) == 8;
    }
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    int left = before.isEmpty() ? 0 : groups(before, false);
    int right = after.isEmpty() ? 0 : groups(after, true);
    return left >= 0 && right >= 0 && left + right <= 7;
  }

  /**
   * The address that a text stands for. Never looks a name up.
   *
   * @param text an IPv6 address may have a zone
   * @return null if the text is neither an IPv6 address nor four numbers from 0 to 255
   */
  public static @Nullable InetAddress address(String text) {
    int zone = text.indexOf('%');
    if (!isIpv4(text) && !isIpv6(zone < 0 ? text : text.substring(0, zone))) {
      return null;
    }
    try {
      return InetAddress.getByName(text);
    } catch (UnknownHostException e) {
      return null; // no such zone
    }
  }

  /**
   * Whether a text is meant as an address, which is never looked up. No top-level domain ends in a
   * digit, so a name whose last label does is meant as IPv4.
   */
  public static boolean isMeantAsAddress(String text) {
    return text.indexOf(':') >= 0 || text.matches("[0-9.]*[0-9]");
  }

  /** Number of 16-bit groups in {@code text}, where an IPv4 address at the end is two; or -1. */
  private static int groups(String text, boolean mayEndWithIpv4) {
    int groups = 0;
    int at = 0;
    while (true) {
      int colon = text.indexOf(':', at);
      int end = colon < 0 ? text.length() : colon;
      if (colon < 0 && mayEndWithIpv4 && isIpv4(text.substring(at))) {
        return groups + 2;
      }
      if (end == at || end > at + 4 || !areDigits(text, at, end, true)) {
        return -1;
      }
      groups++;
      if (colon < 0) {
        return groups;
      }
      at = colon + 1;
    }
  }
}
