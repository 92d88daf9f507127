package heddle.codec.http1;

import java.nio.charset.StandardCharsets;

/** Questions about octets in a buffer that the grammars of RFC 9110 and RFC 9112 ask. */
final class Octets {
  private static final String TOKEN_MARKS = "!#$%&'*+-.^_`|~";
  private static final boolean[] TOKEN = tokenTable();

  private Octets() {}

  private static boolean[] tokenTable() {
    boolean[] table = new boolean[128];
    for (int c = 0; c < table.length; c++) {
      table[c] = isAlpha(c) || isDigit(c) || TOKEN_MARKS.indexOf(c) >= 0;
    }
    return table;
  }

  static boolean isAlpha(int c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean isHex(int c) {
    return isDigit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f');
  }

  /** VCHAR of RFC 5234. */
  static boolean isVisible(int c) {
    return c > 0x20 && c < 0x7F;
  }

  static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }

  /** Whether the octet may stand in a field value or a reason phrase, RFC 9110 §5.5. */
  static boolean isText(int c) {
    int octet = c & 0xFF;
    return (octet >= 0x20 && octet != 0x7F) || octet == '\t';
  }

  /** Whether the octets are a token, RFC 9110 §5.6.2. */
  static boolean isToken(byte[] buf, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isTokenChar(buf[i])) {
        return false;
      }
    }
    return from < to;
  }

  static boolean isTokenChar(int c) {
    return c >= 0 && c < 128 && TOKEN[c];
  }

  static int indexOf(byte[] buf, int from, int to, int octet) {
    for (int i = from; i < to; i++) {
      if (buf[i] == octet) {
        return i;
      }
    }
    return -1;
  }

  static int skipBlanks(byte[] buf, int from, int to) {
    int i = from;
    while (i < to && isBlank(buf[i])) {
      i++;
    }
    return i;
  }

  /** The end of the range without the blanks at its end. */
  static int skipBlanksBack(byte[] buf, int from, int to) {
    int i = to;
    while (i > from && isBlank(buf[i - 1])) {
      i--;
    }
    return i;
  }

  static boolean equalsIgnoreCase(byte[] buf, int off, int len, String lowerCase) {
    if (len != lowerCase.length()) {
      return false;
    }
    for (int i = 0; i < len; i++) {
      int c = buf[off + i];
      if ((c >= 'A' && c <= 'Z' ? c | 0x20 : c) != lowerCase.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether an element of the comma-separated list is {@code lowerCase}, in any case. */
  static boolean listContains(byte[] buf, int off, int len, String lowerCase) {
    int start = off;
    int end = off + len;
    for (int i = off; i <= end; i++) {
      if (i == end || buf[i] == ',') {
        int from = skipBlanks(buf, start, i);
        if (equalsIgnoreCase(buf, from, skipBlanksBack(buf, from, i) - from, lowerCase)) {
          return true;
        }
        start = i + 1;
      }
    }
    return false;
  }

  /** The number that the range spells in digits alone; -1 when it spells none or overflows. */
  static long decimal(byte[] buf, int off, int len) {
    if (len == 0) {
      return -1;
    }
    long value = 0;
    for (int i = off; i < off + len; i++) {
      int digit = buf[i] - '0';
      if (digit < 0 || digit > 9 || value > (Long.MAX_VALUE - digit) / 10) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** The octets for an error message: at most 40 of them, quoted, what is not visible as a dot. */
  static String quote(byte[] buf, int off, int len) {
    int shown = Math.min(len, 40);
    StringBuilder text = new StringBuilder(shown + 6).append('"');
    for (int i = 0; i < shown; i++) {
      int c = buf[off + i];
      text.append(isVisible(c) || c == ' ' ? (char) c : '.');
    }
    return text.append(shown < len ? "…\"" : "\"").toString();
  }

  /** One octet for an error message. */
  static String describe(int c) {
    int octet = c & 0xFF;
    return isVisible(octet) ? "'" + (char) octet + "'" : String.format("0x%02X", octet);
  }

  static String latin1(byte[] buf, int off, int len) {
    return new String(buf, off, len, StandardCharsets.ISO_8859_1);
  }
}
