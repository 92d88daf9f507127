package heddle.http;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Text as the octets that forms send. */
final class ScalarText {
  /** U+FFFD in UTF-8. */
  private static final byte[] REPLACEMENT = {(byte) 0xEF, (byte) 0xBF, (byte) 0xBD};

  private ScalarText() {}

  /** UTF-8, where half a surrogate pair becomes U+FFFD as in browsers; String makes it '?'. */
  static byte[] utf8(String text) {
    try {
      ByteBuffer encoded = StandardCharsets.UTF_8
          .newEncoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .replaceWith(REPLACEMENT)
          .encode(CharBuffer.wrap(text));
      byte[] octets = new byte[encoded.remaining()];
      encoded.get(octets);
      return octets;
    } catch (CharacterCodingException impossible) {
      throw new AssertionError("UTF-8 has all scalar values", impossible);
    }
  }
}
