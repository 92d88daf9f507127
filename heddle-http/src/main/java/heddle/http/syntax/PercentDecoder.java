package heddle.http.syntax;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Decodes percent-encoded text (RFC 3986 section 2.1), strictly. */
public final class PercentDecoder {
  private PercentDecoder() {}

  /** Whether two hexadecimal digits before {@code to} follow the percent sign at an index. */
  static boolean isEscape(String text, int at, int to) {
    return at + 2 < to && Octets.isHex(text.charAt(at + 1)) && Octets.isHex(text.charAt(at + 2));
  }

  /**
   * The text between two indices, its escapes decoded as UTF-8.
   *
   * @param plusIsSpace as in forms and queries
   * @return null if an escape is malformed, the octets are not UTF-8, or there is a char beyond
   *     ASCII, which would have to be an escape
   */
  public static @Nullable String decode(String text, int from, int to, boolean plusIsSpace) {
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '%' || c >= 0x80 || plusIsSpace && c == '+') {
        return decodeEscapes(text, from, to, plusIsSpace);
      }
    }
    return text.substring(from, to);
  }

  private static @Nullable String decodeEscapes(
      String text, int from, int to, boolean plusIsSpace) {
    byte[] octets = new byte[to - from];
    int length = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '%') {
        if (!isEscape(text, i, to)) {
          return null;
        }
        octets[length++] = (byte) Integer.parseInt(text, i + 1, i + 3, 16);
        i += 2;
      } else if (c >= 0x80) {
        return null;
      } else {
        octets[length++] = (byte) (plusIsSpace && c == '+' ? ' ' : c);
      }
    }
    try {
      // A new decoder reports what is malformed; String would replace it.
      ByteBuffer decoded = ByteBuffer.wrap(octets, 0, length);
      return StandardCharsets.UTF_8.newDecoder().decode(decoded).toString();
    } catch (CharacterCodingException notUtf8) {
      return null;
    }
  }
}
