package heddle.client.coding;

import heddle.http.Body;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/** Coded content for tests, and bodies that hand it out in pieces as a connection would. */
final class Coded {
  private Coded() {}

  static byte[] raw(byte[] content) {
    return deflate(content, true);
  }

  static byte[] zlib(byte[] content) {
    return deflate(content, false);
  }

  private static byte[] deflate(byte[] content, boolean nowrap) {
    Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, nowrap);
    deflater.setInput(content);
    deflater.finish();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] chunk = new byte[4096];
    while (!deflater.finished()) {
      out.write(chunk, 0, deflater.deflate(chunk));
    }
    deflater.end();
    return out.toByteArray();
  }

  static byte[] gzip(byte[] content) {
    return gzip(content, 0, new byte[0]);
  }

  /**
   * A member of gzip.
   *
   * @param flags of the header
   * @param fields what the flags announce, without the checksum
   */
  static byte[] gzip(byte[] content, int flags, byte[] fields) {
    byte[] start = {0x1F, (byte) 0x8B, 8, (byte) flags, 1, 2, 3, 4, 0, 3};
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(start);
    out.writeBytes(fields);
    if ((flags & 2) != 0) {
      CRC32 headerCrc = new CRC32();
      headerCrc.update(out.toByteArray());
      out.writeBytes(littleEndian(headerCrc.getValue(), 2));
    }
    out.writeBytes(raw(content));
    CRC32 crc = new CRC32();
    crc.update(content);
    out.writeBytes(littleEndian(crc.getValue(), 4));
    out.writeBytes(littleEndian(content.length, 4));
    return out.toByteArray();
  }

  /** With all fields that a header may have. */
  static byte[] gzipWithAllFields(byte[] content) {
    return gzip(content, 2 | 4 | 8 | 16, new byte[] {3, 0, 9, 8, 7, 'n', 0, 'c', 'o', 0});
  }

  private static byte[] littleEndian(long value, int octets) {
    byte[] bytes = new byte[octets];
    for (int i = 0; i < octets; i++) {
      bytes[i] = (byte) (value >> 8 * i);
    }
    return bytes;
  }

  static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /** Content of which some can be compressed and some cannot. */
  static byte[] content(Random random, int size) {
    byte[] content = new byte[size];
    random.nextBytes(content);
    for (int from = 0; from < size; from += 1 + random.nextInt(5000)) {
      int to = Math.min(size, from + random.nextInt(3000));
      Arrays.fill(content, from, to, (byte) random.nextInt());
      from = to;
    }
    return content;
  }

  /** A body that can be read once, in pieces of random sizes; it knows how that ended. */
  static final class Arriving extends Body {
    private final byte[] coded;
    private final Random random;
    int given;
    boolean endSeen;
    boolean closed;
    boolean discarded;

    Arriving(byte[] coded, Random random) {
      this.coded = coded;
      this.random = random;
    }

    @Override
    public long length() {
      return coded.length;
    }

    @Override
    public boolean isReplayable() {
      return false;
    }

    @Override
    public InputStream stream() {
      return new InputStream() {
        @Override
        public int read() {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int count) {
          if (given == coded.length) {
            endSeen = true;
            return -1;
          }
          int most = Math.min(count, coded.length - given);
          int n = random.nextBoolean() ? most : 1 + random.nextInt(most);
          System.arraycopy(coded, given, target, offset, n);
          given += n;
          return n;
        }

        @Override
        public void close() {
          Arriving.this.close();
        }
      };
    }

    @Override
    public long discard() {
      discarded = true;
      return coded.length;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
