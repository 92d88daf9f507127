package heddle.http.syntax;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Classes of octets that HTTP's grammars are made of, as table look-ups. */
public final class Octets {
  private static final int TOKEN = 1;
  private static final int PATH = 2;
  private static final int QUERY = 4;
  private static final int REG_NAME = 8;
  private static final byte[] CLASS = classes();
  private static final int MAX_QUOTED = 200; // longer texts are cut in error messages

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private Octets() {}

  private static byte[] classes() {
    byte[] table = new byte[128];
    String unreserved = "-._~";
    String subDelims = "!$&'()*+,;=";
    for (int c = 0; c < 128; c++) {
      boolean alphaNumeric = isDigit(c) || isAlpha(c);
      boolean regName = alphaNumeric || (unreserved + subDelims).indexOf(c) >= 0;
      boolean path = regName || ":@/%".indexOf(c) >= 0;
      // RFC 3986 section 3.4 has no brackets in a query, but browsers and java.net.URI send them.
      boolean query = path || "?[]".indexOf(c) >= 0;
      boolean token = alphaNumeric || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
      table[c] = (byte) ((token ? TOKEN : 0)
          | (path ? PATH : 0)
          | (query ? QUERY : 0)
          | (regName ? REG_NAME : 0));
    }
    return table;
  }

  private static boolean in(int c, int octetClass) {
    return c >= 0 && c < 128 && (CLASS[c] & octetClass) != 0;
  }

  /** Whether {@code c} is a {@code tchar} (RFC 9110 section 5.6.2). */
  public static boolean isToken(int c) {
    return in(c, TOKEN);
  }

  /** Whether {@code c} may stand in a path: {@code pchar}, a slash, or the start of an escape. */
  public static boolean isPath(int c) {
    return in(c, PATH);
  }

  /** Whether {@code c} may stand in a query, or is the start of an escape. */
  public static boolean isQuery(int c) {
    return in(c, QUERY);
  }

  /** Whether {@code c} may stand in a registered name, escapes aside (RFC 3986 section 3.2.2). */
  public static boolean isRegName(int c) {
    return in(c, REG_NAME);
  }

  /** Whether {@code c} is unreserved in URLs (RFC 3986 section 2.3). */
  public static boolean isUnreserved(int c) {
    return isAlpha(c) || isDigit(c) || c == '-' || c == '.' || c == '_' || c == '~';
  }

  public static boolean isAlpha(int c) {
    return (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
  }

  public static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  public static boolean isHex(int c) {
    return isDigit(c) || (c | 0x20) >= 'a' && (c | 0x20) <= 'f';
  }

  /** Whether {@code c} is a letter, digit or punctuation mark of ASCII (RFC 5234's VCHAR). */
  public static boolean isVisible(int c) {
    return c > 0x20 && c < 0x7F;
  }

  /** The small letter for a capital letter of ASCII; any other octet as it is. */
  public static int lower(int c) {
    return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
  }

  /** Index of the first char that is no {@code tchar}, or -1 if all are. */
  public static int indexOfNonToken(CharSequence text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isToken(text.charAt(i))) {
        return i;
      }
    }
    return -1;
  }

  /** Index within the range of the first octet that is no {@code tchar}, or -1 if all are. */
  public static int indexOfNonToken(byte[] buf, int off, int len) {
    for (int i = 0; i < len; i++) {
      if (!isToken(buf[off + i])) {
        return i;
      }
    }
    return -1;
  }

  /** Refuses what is no token; the message says what it would name. */
  public static void checkToken(String what, String text) {
    int bad = indexOfNonToken(text);
    if (bad >= 0) {
      throw new IllegalArgumentException(describe(text.charAt(bad)) + " at index " + bad
          + " may not stand in " + what + ": use letters, digits and hyphens");
    }
    if (text.isEmpty()) {
      throw new IllegalArgumentException(what + " must not be empty");
    }
  }

  public static void checkToken(String what, byte[] buf, int off, int len) {
    if (len == 0 || indexOfNonToken(buf, off, len) >= 0) {
      checkToken(what, new String(buf, off, len, StandardCharsets.ISO_8859_1));
    }
  }

  /** Refuses a text with a char that may not stand in a field value (RFC 9110 section 5.5). */
  public static void checkFieldValue(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      if (!isFieldValue(text.charAt(i))) {
        throw new IllegalArgumentException("%s at index %d may not stand in %s: remove or encode it"
            .formatted(describe(text.charAt(i)), i, what));
      }
    }
  }

  /** The exception for a char that may not stand in the value of this field. */
  public static IllegalArgumentException notInValue(Object name, int c, int index) {
    return new IllegalArgumentException(
        "0x%02X at index %d may not stand in the value of %s: remove or encode it"
            .formatted(c, index, name));
  }

  /** The exception for a value that white space begins or ends. */
  public static IllegalArgumentException blankAtEnd(Object name) {
    return new IllegalArgumentException(
        "the value of " + name + " begins or ends with white space: trim it");
  }

  /** Whether {@code c} is white space of a field's line (RFC 9110 section 5.6.3). */
  public static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }

  /** Whether {@code c} may stand in a field value (RFC 9110 section 5.5). */
  public static boolean isFieldValue(int c) {
    return c >= 0x20 && c != 0x7F && c <= 0xFF || c == '\t';
  }

  /** Index within the range of the first octet that may not stand in a field value, or -1. */
  public static int indexOfNonFieldValue(byte[] buf, int off, int len) {
    int i = 0;
    // Eight octets at a time; a tab merely sends its eight through the slow loop.
    for (; i + 8 <= len; i += 8) {
      long octets = (long) LONGS.get(buf, off + i);
      if (hasControl(octets)) {
        int bad = slowIndexOfNonFieldValue(buf, off, i, i + 8);
        if (bad >= 0) {
          return bad;
        }
      }
    }
    return slowIndexOfNonFieldValue(buf, off, i, len);
  }

  private static boolean hasControl(long octets) {
    long below20 = (octets - ONES * 0x20) & ~octets;
    long delete = octets ^ (ONES * 0x7F);
    long isDelete = (delete - ONES) & ~delete;
    return ((below20 | isDelete) & HIGH_BITS) != 0;
  }

  private static int slowIndexOfNonFieldValue(byte[] buf, int off, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isFieldValue(buf[off + i] & 0xFF)) {
        return i;
      }
    }
    return -1;
  }

  /** The index of the first such octet, or -1. */
  public static int indexOf(byte[] buf, int from, int to, int octet) {
    for (int i = from; i < to; i++) {
      if (buf[i] == octet) {
        return i;
      }
    }
    return -1;
  }

  /** The start of the range without the blanks at its start. */
  public static int skipBlanks(byte[] buf, int from, int to) {
    int i = from;
    while (i < to && isBlank(buf[i])) {
      i++;
    }
    return i;
  }

  /** The end of the range without the blanks at its end. */
  public static int skipBlanksBack(byte[] buf, int from, int to) {
    int i = to;
    while (i > from && isBlank(buf[i - 1])) {
      i--;
    }
    return i;
  }

  /** Whether an element of the comma-separated list is {@code lowerCase}, in any case. */
  public static boolean listContains(byte[] buf, int off, int len, String lowerCase) {
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

  /** Whether two ranges of equal length hold the same text, capital and small letters alike. */
  public static boolean equalsIgnoreCase(byte[] a, int aOff, byte[] b, int bOff, int len) {
    for (int i = 0; i < len; i++) {
      if (lower(a[aOff + i]) != lower(b[bOff + i])) {
        return false;
      }
    }
    return true;
  }

  /** Whether the range holds this text, one octet for each char; makes no string. */
  public static boolean equals(byte[] buf, int off, int len, String text) {
    if (len != text.length()) {
      return false;
    }
    for (int i = 0; i < len; i++) {
      if ((buf[off + i] & 0xFF) != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the range holds this text but for the case of ASCII letters; makes no string. */
  public static boolean equalsIgnoreCase(byte[] buf, int off, int len, String text) {
    if (len != text.length()) {
      return false;
    }
    for (int i = 0; i < len; i++) {
      if (lower(buf[off + i] & 0xFF) != lower(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether the range is a scheme (RFC 3986 section 3.1). */
  public static boolean isScheme(byte[] buf, int off, int len) {
    if (len == 0 || !isAlpha(buf[off])) {
      return false;
    }
    for (int i = off; i < off + len; i++) {
      int c = buf[i];
      if (!isAlpha(c) && !isDigit(c) && c != '+' && c != '-' && c != '.') {
        return false;
      }
    }
    return true;
  }

  /** The number that the range spells in digits alone; -1 when it spells none or overflows. */
  public static long decimal(byte[] buf, int off, int len) {
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

  /**
   * A text that a user or a peer gave, in quotes, for an error message: control characters, those
   * beyond ASCII and backslashes as in a string of Java, so that it cannot forge a line of a log.
   */
  public static String quote(CharSequence text) {
    StringBuilder quoted = new StringBuilder(Math.min(text.length(), MAX_QUOTED) + 2).append('"');
    for (int i = 0; i < text.length() && i < MAX_QUOTED; i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> quoted.append('\\').append(c);
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (c == ' ' || isVisible(c)) {
            quoted.append(c);
          } else {
            quoted.append("\\u%04X".formatted((int) c));
          }
        }
      }
    }
    return quoted.append(text.length() > MAX_QUOTED ? "...\"" : "\"").toString();
  }

  /** Octets for an error message: at most 40 of them, in quotes, what is not visible as a dot. */
  public static String quote(byte[] buf, int off, int len) {
    int shown = Math.min(len, 40);
    StringBuilder text = new StringBuilder(shown + 6).append('"');
    for (int i = 0; i < shown; i++) {
      int c = buf[off + i];
      text.append(isVisible(c) || c == ' ' ? (char) c : '.');
    }
    return text.append(shown < len ? "…\"" : "\"").toString();
  }

  /** A char for an error message: itself in quotes when visible, else its number. */
  public static String describe(int c) {
    return isVisible(c) ? "'" + (char) c + "'" : "0x%02X".formatted(c);
  }
}
