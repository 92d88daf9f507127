package heddle.web;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails when more is read than a limit allows. */
final class LimitedInput extends FilterInputStream {
  private long left;
  private boolean exceeded;

  LimitedInput(InputStream in, long limit) {
    super(in);
    this.left = limit;
  }

  /** Whether the limit was exceeded, also if the reader has wrapped or hidden the failure. */
  boolean isExceeded() {
    return exceeded;
  }

  @Override
  public int read() throws IOException {
    int octet = in.read();
    count(octet < 0 ? 0 : 1);
    return octet;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int n = in.read(target, offset, length);
    count(Math.max(n, 0));
    return n;
  }

  @Override
  public long skip(long n) throws IOException {
    long skipped = in.skip(n);
    count(skipped);
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void count(long bytes) throws IOException {
    left -= bytes;
    if (left < 0) {
      exceeded = true;
      throw new IOException("the content is larger than the limit");
    }
  }
}
