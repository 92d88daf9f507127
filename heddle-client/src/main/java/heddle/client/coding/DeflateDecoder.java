package heddle.client.coding;

import heddle.client.coding.Coding.Inflaters;
import heddle.http.ContentCoding;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decodes deflate. RFC 9110 section 8.4.1.2 defines that as the zlib format (RFC 1950), whose
 * checksum the inflater verifies; but some servers send RFC 1951 alone, and browsers accept both.
 */
final class DeflateDecoder implements ContentCoding.Decoder {
  private static final int METHOD = 0x0F;
  private static final int DEFLATED = 8;

  /** The window's size as a power of two, less 8, in the upper half of the first octet. */
  private static final int MAX_WINDOW = 7;

  private final Inflaters inflaters;

  /** The first two octets, which distinguish the two formats. */
  private final ByteBuffer start = ByteBuffer.allocate(2);

  private @Nullable Inflater inflater;

  DeflateDecoder(Inflaters inflaters) {
    this.inflaters = inflaters;
  }

  @Override
  public boolean decode(ByteBuffer source, ByteBuffer target) throws DataFormatException {
    Inflater open = inflater;
    if (open == null) {
      while (start.hasRemaining() && source.hasRemaining()) {
        start.put(source.get());
      }
      if (start.hasRemaining()) {
        return false;
      }
      start.flip();
      open = inflaters.make(!isZlib(start.getShort(0) & 0xFFFF));
      inflater = open;
    }
    boolean ended = start.hasRemaining() && Coding.inflate(open, start, target);
    if (!ended && !start.hasRemaining()) {
      ended = Coding.inflate(open, source, target);
    }
    if (ended && source.hasRemaining()) {
      throw new DataFormatException("other data follows its end");
    }
    return ended;
  }

  /** RFC 1950 section 2.2. Deflated data begins so only with a stored block of nonzero padding. */
  private static boolean isZlib(int start) {
    int first = start >> 8;
    return (first & METHOD) == DEFLATED && first >> 4 <= MAX_WINDOW && start % 31 == 0;
  }

  @Override
  public void close() {
    if (inflater != null) {
      inflater.end();
    }
  }
}
