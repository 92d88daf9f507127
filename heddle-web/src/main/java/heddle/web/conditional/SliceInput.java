package heddle.web.conditional;

import heddle.http.io.FileInput;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Ends after some octets, even if there is more: a file may grow while it is sent. */
final class SliceInput extends FilterInputStream {
  private long left;

  private SliceInput(InputStream in, long length) {
    super(in);
    left = length;
  }

  /** The first octets of a stream; a file stays one, which the operating system may send. */
  static InputStream of(InputStream in, long length) {
    return in instanceof FileInput file ? file.limit(length) : new SliceInput(in, length);
  }

  @Override
  public int read() throws IOException {
    int read = left == 0 ? -1 : in.read();
    left -= read < 0 ? 0 : 1;
    return read;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    if (length == 0) {
      return 0;
    }
    int read = left == 0 ? -1 : in.read(target, offset, (int) Math.min(length, left));
    left -= Math.max(0, read);
    return read;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = in.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(in.available(), left);
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
