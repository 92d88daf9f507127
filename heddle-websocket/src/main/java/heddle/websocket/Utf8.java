package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/** Strict decoding of text. */
final class Utf8 {
  private Utf8() {}

  /**
   * Decodes UTF-8.
   *
   * @throws WebSocketProtocolException if the bytes are not UTF-8 (RFC 6455 section 8.1)
   */
  static String decode(byte[] bytes, int from, int count) throws WebSocketProtocolException {
    String text = new String(bytes, from, count, UTF_8);
    if (text.indexOf('\uFFFD') < 0) {
      return text;
    }
    // It stands for what is malformed, or was sent.
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, count)).toString();
    } catch (CharacterCodingException e) {
      throw new WebSocketProtocolException(
          CloseReason.INVALID_DATA, "text that is not UTF-8 (RFC 6455 section 8.1)");
    }
  }
}
