package heddle.client.coding;

import java.io.IOException;
import java.io.InputStream;

/**
 * Decodes deflate. RFC 9110 section 8.4.1.2 defines that as the zlib format (RFC 1950), whose
 * checksum the inflater verifies; but some servers send deflated data (RFC 1951) without the zlib
 * wrapper, and browsers accept both.
 */
final class DeflateInput extends DecodingInput {
  private static final int METHOD = 0x0F;
  private static final int DEFLATED = 8;

  /** The window's size as a power of two, less 8, in the upper half of the first octet. */
  private static final int MAX_WINDOW = 7;

  private boolean begun;

  DeflateInput(InputStream coded, Expansion expansion, Inflaters inflaters) {
    super("deflate", coded, expansion, inflaters);
  }

  @Override
  boolean begin() throws IOException {
    if (!begun) {
      byte[] start = peek(2);
      if (start.length < 2) {
        throw truncated();
      }
      begun = true;
      startDeflated(!isZlib(start[0] & 0xFF, start[1] & 0xFF));
      return true;
    }
    if (hasNext()) {
      throw malformed("other data follows its end", null);
    }
    return false;
  }

  /**
   * RFC 1950 section 2.2. Deflated data could begin so only with a stored block whose padding is
   * not zero.
   */
  private static boolean isZlib(int first, int second) {
    return (first & METHOD) == DEFLATED
        && first >> 4 <= MAX_WINDOW
        && (first << 8 | second) % 31 == 0;
  }

  @Override
  void seen(byte[] target, int offset, int count) {}

  @Override
  void finish() {}
}
