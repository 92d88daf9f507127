package heddle.client.coding;

import java.io.IOException;
import java.io.InputStream;

/**
 * Decodes deflate. RFC 9110 section 8.4.1.2 defines that as the zlib format (RFC 1950), whose
 * checksum the inflater verifies; but some servers send RFC 1951 alone, and browsers accept both.
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
      boolean zlib = isZlib(peekTwo());
      begun = true;
      startDeflated(!zlib);
      return true;
    }
    if (has(1)) {
      throw malformed("other data follows its end");
    }
    return false;
  }

  /** RFC 1950 section 2.2. Deflated data begins so only with a stored block of nonzero padding. */
  private static boolean isZlib(int start) {
    int first = start >> 8;
    return (first & METHOD) == DEFLATED && first >> 4 <= MAX_WINDOW && start % 31 == 0;
  }

  @Override
  void seen(byte[] target, int offset, int count) {}

  @Override
  void finish() {}
}
