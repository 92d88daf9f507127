package heddle.websocket;

import java.util.Arrays;

/** Decodes the text of messages part by part, and splits no character. Not thread-safe. */
final class TextDecoder {
  private static final byte[] NONE = {};

  /** The first bytes of a character whose others have not arrived, at most three. */
  private byte[] begun = NONE;

  /**
   * Decodes the next part.
   *
   * @param last whether the message ends with it
   * @return empty if no character ends in it
   * @throws WebSocketProtocolException if the bytes are not UTF-8 (RFC 6455 section 8.1)
   */
  String decode(byte[] part, boolean last) throws WebSocketProtocolException {
    byte[] bytes = part;
    if (begun.length > 0) {
      bytes = Arrays.copyOf(begun, begun.length + part.length);
      System.arraycopy(part, 0, bytes, begun.length, part.length);
    }
    int end = last ? bytes.length : endOfCharacters(bytes);
    begun = end == bytes.length ? NONE : Arrays.copyOfRange(bytes, end, bytes.length);
    return Utf8.decode(bytes, 0, end);
  }

  /** Where a character begins that is not complete; the length if there is none. */
  private static int endOfCharacters(byte[] bytes) {
    int first = bytes.length - 1;
    int least = Math.max(0, bytes.length - 3);
    while (first >= least && (bytes[first] & 0xC0) == 0x80) {
      first--;
    }
    if (first < least) {
      return bytes.length;
    }
    int octet = bytes[first] & 0xFF; // RFC 3629 section 3
    int octets = octet >= 0xF0 ? 4 : octet >= 0xE0 ? 3 : octet >= 0xC0 ? 2 : 1;
    return first + octets > bytes.length ? first : bytes.length;
  }
}
