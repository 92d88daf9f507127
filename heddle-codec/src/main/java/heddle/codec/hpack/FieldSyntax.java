package heddle.codec.hpack;

import heddle.http.syntax.Octets;
import org.jspecify.annotations.Nullable;

/** The rules of RFC 9113 §8.2.1 and RFC 9110 §5.5 for the octets of names and values. */
final class FieldSyntax {
  private FieldSyntax() {}

  /** Why the octets are not a field name of HTTP/2, or null if they are. */
  static @Nullable String faultOfName(byte[] buf, int off, int len) {
    if (len == 0) {
      return "a field name is empty";
    }
    if (buf[off] == ':') {
      return "a field name begins with a colon and is no known pseudo-header field";
    }
    for (int i = 0; i < len; i++) {
      int c = buf[off + i] & 0xFF;
      if (!Octets.isToken(c) || isCapital(c)) {
        return Octets.describe(c) + " at index " + i
            + (isCapital(c)
                ? " of a field name is a capital letter"
                : " may not stand in a field name");
      }
    }
    return null;
  }

  /** Why the octets are not a field value, or null if they are. */
  static @Nullable String faultOfValue(Object name, byte[] value) {
    int len = value.length;
    int bad = Octets.indexOfNonFieldValue(value, 0, len);
    if (bad >= 0) {
      return Octets.describe(value[bad] & 0xFF) + " at index " + bad
          + " may not stand in the value of " + name;
    }
    if (len > 0 && (Octets.isBlank(value[0]) || Octets.isBlank(value[len - 1]))) {
      return "the value of " + name + " begins or ends with white space";
    }
    return null;
  }

  private static boolean isCapital(int c) {
    return c >= 'A' && c <= 'Z';
  }
}
