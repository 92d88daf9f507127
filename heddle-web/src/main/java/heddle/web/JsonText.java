package heddle.web;

import java.util.Map;

/** Writes the few values of JSON (RFC 8259) that problem details consist of. */
final class JsonText {
  private JsonText() {}

  /**
   * An object with these members, in their order.
   *
   * @param members whose values are strings, numbers or booleans
   */
  static String object(Map<String, Object> members) {
    StringBuilder text = new StringBuilder(128).append('{');
    members.forEach((name, value) -> {
      if (text.length() > 1) {
        text.append(',');
      }
      string(name, text);
      text.append(':');
      if (value instanceof String string) {
        string(string, text);
      } else {
        text.append(value);
      }
    });
    return text.append('}').toString();
  }

  /** RFC 8259 section 7. Half a surrogate pair has no UTF-8, but an escape. */
  private static void string(String value, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"', '\\' -> text.append('\\').append(c);
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < ' ' || c == 0x7F || Character.isSurrogate(c) && !isPaired(value, i)) {
            text.append("\\u%04x".formatted((int) c));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }

  private static boolean isPaired(String value, int i) {
    return Character.isHighSurrogate(value.charAt(i))
        ? i + 1 < value.length() && Character.isLowSurrogate(value.charAt(i + 1))
        : i > 0 && Character.isHighSurrogate(value.charAt(i - 1));
  }
}
