package heddle.web.filter;

/** Texts of peers in a line of a log: no text can end its line, its field, or its quotes. */
final class Escapes {
  /** What is longer is cut, so that a line has a bound. */
  static final int MOST_CHARS = 2048;

  private static final String HEX = "0123456789abcdef";

  private Escapes() {}

  /** Appends the text within quotes, as Apache does: {@code \x} and two digits for other octets. */
  static void quoted(StringBuilder line, String text) {
    line.append('"');
    escape(line, text, false);
    line.append('"');
  }

  /** Appends a JSON string (RFC 8259 §7) in ASCII. */
  static void json(StringBuilder line, String text) {
    line.append('"');
    escape(line, text, true);
    line.append('"');
  }

  private static void escape(StringBuilder line, String text, boolean json) {
    int end = Math.min(text.length(), MOST_CHARS);
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        line.append('\\').append(c);
      } else if (c >= ' ' && c < 0x7F) {
        line.append(c);
      } else if (json || c > 0xFF) {
        line.append("\\u").append(digit(c >> 12)).append(digit(c >> 8));
        line.append(digit(c >> 4)).append(digit(c));
      } else {
        line.append("\\x").append(digit(c >> 4)).append(digit(c));
      }
    }
    if (end < text.length()) {
      line.append("...");
    }
  }

  private static char digit(int value) {
    return HEX.charAt(value & 0xF);
  }
}
