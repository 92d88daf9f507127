package heddle.adapters.aws;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Cuts a stream to the announced Content-Length, as the SDK's own clients do. */
final class Truncated extends FilterInputStream {
  private long left;

  /**
   * @param length in bytes
   */
  Truncated(InputStream content, long length) {
    super(content);
    left = length;
  }

  @Override
  public int read() throws IOException {
    if (left <= 0) {
      return -1;
    }
    int value = in.read();
    left -= value < 0 ? 0 : 1;
    return value;
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    if (left <= 0) {
      return -1;
    }
    int taken = in.read(target, offset, (int) Math.min(count, left));
    left -= Math.max(0, taken);
    return taken;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(in.available(), left);
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = in.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
