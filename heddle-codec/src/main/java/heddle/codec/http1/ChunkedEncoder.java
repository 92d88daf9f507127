package heddle.codec.http1;

import heddle.http.Headers;
import java.nio.ByteBuffer;

/** Encodes content in the chunked coding (RFC 9112 §7.1). Stateless. */
final class ChunkedEncoder {
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };
  private static final byte[] CRLF = {'\r', '\n'};
  private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

  private ChunkedEncoder() {}

  /** A chunk around the payload, which must not be empty: an empty one would end the content. */
  static ByteBuffer[] chunk(ByteBuffer payload) {
    return new ByteBuffer[] {
      ByteBuffer.wrap(sizeLine(payload.remaining())), payload, ByteBuffer.wrap(CRLF)
    };
  }

  private static byte[] sizeLine(int size) {
    int digits = Math.max(1, (35 - Integer.numberOfLeadingZeros(size)) / 4);
    byte[] line = new byte[digits + 2];
    for (int i = digits - 1, rest = size; i >= 0; i--, rest >>>= 4) {
      line[i] = HEX[rest & 15];
    }
    line[digits] = '\r';
    line[digits + 1] = '\n';
    return line;
  }

  /** The last chunk, the trailer section and the empty line after it. */
  static ByteBuffer end(Headers trailers) {
    if (trailers.isEmpty()) {
      return ByteBuffer.wrap(LAST_CHUNK);
    }
    HeadWriter writer = new HeadWriter(LAST_CHUNK.length + HeadWriter.sizeOf(trailers));
    writer.text("0\r\n");
    writer.fields(trailers);
    return writer.endOfHead();
  }
}
