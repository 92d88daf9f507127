package heddle.codec.hpack;

import org.jspecify.annotations.Nullable;

/** What RFC 9113 §8.2.1 and RFC 9110 §5.5 say of the octets of names and values. */
final class FieldSyntax {
  private static final String MARKS = "!#$%&'*+-.^_`|~";
  private static final boolean[] NAME = new boolean[256];
  private static final boolean[] VALUE = new boolean[256];

  static {
    for (int c = 0; c < 256; c++) {
      NAME[c] = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || MARKS.indexOf(c) >= 0;
      VALUE[c] = (c >= 0x20 && c != 0x7F) || c == '\t';
    }
  }

  private FieldSyntax() {}

  /** Why the octets are no field name of HTTP/2, or null if they are one. */
  static @Nullable String faultOfName(byte[] buf, int off, int len) {
    if (len == 0) {
      return "a field name is empty";
    }
    if (buf[off] == ':') {
      return "a field name begins with a colon and is no known pseudo-header field";
    }
    for (int i = 0; i < len; i++) {
      int c = buf[off + i] & 0xFF;
      if (!NAME[c]) {
        return octet(c) + " at index " + i
            + (c >= 'A' && c <= 'Z'
                ? " of a field name is a capital letter"
                : " may not stand in a field name");
      }
    }
    return null;
  }

  /** Why the octets are no field value, or null if they are one. */
  static @Nullable String faultOfValue(Object name, byte[] value) {
    int len = value.length;
    for (int i = 0; i < len; i++) {
      int c = value[i] & 0xFF;
      if (!VALUE[c]) {
        return octet(c) + " at index " + i + " may not stand in the value of " + name;
      }
    }
    if (len > 0 && (isBlank(value[0]) || isBlank(value[len - 1]))) {
      return "the value of " + name + " begins or ends with white space";
    }
    return null;
  }

  /** Whether the char is an octet that may stand in a field value. */
  static boolean isValue(int c) {
    return c < 256 && VALUE[c];
  }

  static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }

  private static String octet(int c) {
    return c > 0x20 && c < 0x7F ? "'" + (char) c + "'" : "0x%02X".formatted(c);
  }
}
