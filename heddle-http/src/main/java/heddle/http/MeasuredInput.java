package heddle.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Holds a stream to the length of its body. */
final class MeasuredInput extends FilterInputStream {
  private final long length;
  private long count;

  MeasuredInput(InputStream in, long length) {
    super(in);
    this.length = length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int size) throws IOException {
    int n = in.read(target, offset, size);
    if (n < 0 && count < length) {
      throw new IOException("the body ended after " + count + " of " + length + " bytes");
    }
    count += Math.max(0, n);
    if (count > length) {
      throw new IOException("the body goes on after its " + length + " bytes");
    }
    return n;
  }
}
