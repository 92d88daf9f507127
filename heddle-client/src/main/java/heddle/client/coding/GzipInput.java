package heddle.client.coding;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;

/** Decodes gzip: one or more members (RFC 1952 section 2.2). */
final class GzipInput extends DecodingInput {
  private static final int ID1 = 0x1F;
  private static final int ID2 = 0x8B;
  private static final int DEFLATED = 8;

  private static final int HAS_HEADER_CRC = 2;
  private static final int HAS_EXTRA = 4;
  private static final int HAS_NAME = 8;
  private static final int HAS_COMMENT = 16;
  private static final int RESERVED = 0xE0;

  /** Room for the largest extra field and a long name; a peer may send a name without end. */
  private static final int MAX_HEADER = 128 << 10;

  private final CRC32 crc = new CRC32();
  private final CRC32 headerCrc = new CRC32();
  private int headerLength;
  private long size;
  private boolean first = true;

  GzipInput(InputStream coded, Expansion expansion, Inflaters inflaters) {
    super("gzip", coded, expansion, inflaters);
  }

  /** RFC 1952 section 2.3. Data that is not a member is an error: it may be a damaged member. */
  @Override
  boolean begin() throws IOException {
    if (!first && !has(1)) {
      return false;
    }
    headerCrc.reset();
    headerLength = 0;
    if (headerOctet() != ID1 || headerOctet() != ID2) {
      throw malformed(
          first ? "it does not begin with the gzip header" : "other data follows its end");
    }
    if (headerOctet() != DEFLATED) {
      throw malformed("its compression method is not deflate");
    }
    int flags = headerOctet();
    if ((flags & RESERVED) != 0) {
      throw malformed("its header has undefined flags");
    }
    // Time, extra flags, operating system.
    skip(6);
    if ((flags & HAS_EXTRA) != 0) {
      skip(headerOctet() | headerOctet() << 8);
    }
    if ((flags & HAS_NAME) != 0) {
      skipText();
    }
    if ((flags & HAS_COMMENT) != 0) {
      skipText();
    }
    long headerChecksum = headerCrc.getValue() & 0xFFFF;
    if ((flags & HAS_HEADER_CRC) != 0 && littleEndian(2) != headerChecksum) {
      throw malformed("the checksum of its header is wrong");
    }
    first = false;
    crc.reset();
    size = 0;
    startDeflated(true);
    return true;
  }

  private int headerOctet() throws IOException {
    if (++headerLength > MAX_HEADER) {
      throw malformed("its header is longer than " + MAX_HEADER + " bytes");
    }
    int octet = octet();
    headerCrc.update(octet);
    return octet;
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      headerOctet();
    }
  }

  private void skipText() throws IOException {
    while (headerOctet() != 0) {
      // The file name or comment is ignored.
    }
  }

  private long littleEndian(int octets) throws IOException {
    long value = 0;
    for (int i = 0; i < octets; i++) {
      value |= (long) octet() << 8 * i;
    }
    return value;
  }

  @Override
  void seen(byte[] target, int offset, int count) {
    crc.update(target, offset, count);
    size += count;
  }

  @Override
  void finish() throws IOException {
    if (littleEndian(4) != crc.getValue()) {
      throw malformed("the checksum of its content is wrong");
    }
    // RFC 1952 section 2.3.1: the length modulo 2^32.
    if (littleEndian(4) != (size & 0xFFFF_FFFFL)) {
      throw malformed("its length differs from the length in its trailer");
    }
  }
}
