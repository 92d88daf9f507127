package heddle.bench.routes;

import java.io.InputStream;
import java.util.Objects;

/** A number of bytes that repeat the alphabet, without holding them. Not thread-safe. */
final class RepeatingStream extends InputStream {

  private static final int PERIOD = 26;
  private static final byte[] BLOCK = new byte[PERIOD * 512];

  static {
    for (int i = 0; i < BLOCK.length; i++) {
      BLOCK[i] = (byte) ('a' + i % PERIOD);
    }
  }

  private final long length;
  private long position;

  RepeatingStream(long length) {
    this.length = length;
  }

  @Override
  public int available() {
    return (int) Math.min(length - position, Integer.MAX_VALUE);
  }

  @Override
  public int read() {
    if (position >= length) {
      return -1;
    }
    return BLOCK[(int) (position++ % BLOCK.length)];
  }

  @Override
  public int read(byte[] target, int offset, int count) {
    Objects.checkFromIndexSize(offset, count, target.length);
    if (count == 0) {
      return 0;
    }
    if (position >= length) {
      return -1;
    }
    int done = 0;
    int wanted = (int) Math.min(count, length - position);
    while (done < wanted) {
      int from = (int) (position % BLOCK.length);
      int part = Math.min(wanted - done, BLOCK.length - from);
      System.arraycopy(BLOCK, from, target, offset + done, part);
      done += part;
      position += part;
    }
    return done;
  }
}
