package heddle.codec.http1;

import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;

/** Tests of ranges of octets for the grammars of RFC 9110 and RFC 9112. */
final class OctetRanges {
  private OctetRanges() {}

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
    while (i < to && Octets.isBlank(buf[i])) {
      i++;
    }
    return i;
  }

  /** The end of the range without the blanks at its end. */
  static int skipBlanksBack(byte[] buf, int from, int to) {
    int i = to;
    while (i > from && Octets.isBlank(buf[i - 1])) {
      i--;
    }
    return i;
  }

  /** Whether an element of the comma-separated list is {@code lowerCase}, in any case. */
  static boolean listContains(byte[] buf, int off, int len, String lowerCase) {
    int start = off;
    int end = off + len;
    for (int i = off; i <= end; i++) {
      if (i == end || buf[i] == ',') {
        int from = skipBlanks(buf, start, i);
        if (Octets.equalsIgnoreCase(buf, from, skipBlanksBack(buf, from, i) - from, lowerCase)) {
          return true;
        }
        start = i + 1;
      }
    }
    return false;
  }

  /** The octets for an error message: at most 40 of them, quoted, what is not visible as a dot. */
  static String quote(byte[] buf, int off, int len) {
    int shown = Math.min(len, 40);
    StringBuilder text = new StringBuilder(shown + 6).append('"');
    for (int i = 0; i < shown; i++) {
      int c = buf[off + i];
      text.append(Octets.isVisible(c) || c == ' ' ? (char) c : '.');
    }
    return text.append(shown < len ? "…\"" : "\"").toString();
  }

  static String latin1(byte[] buf, int off, int len) {
    return new String(buf, off, len, StandardCharsets.ISO_8859_1);
  }
}
