package heddle.http;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Counts what is written. Does not pass on a close: more may follow the content. */
final class CountingOutput extends FilterOutputStream {
  private long count;

  CountingOutput(OutputStream out) {
    super(out);
  }

  /** How many bytes were written. */
  long count() {
    return count;
  }

  @Override
  public void write(int octet) throws IOException {
    out.write(octet);
    count++;
  }

  @Override
  public void write(byte[] source, int offset, int size) throws IOException {
    out.write(source, offset, size);
    count += size;
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
