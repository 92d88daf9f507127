package heddle.http.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads from a buffer that is filled when it is empty. For one reading thread at a time. */
abstract sealed class BufferInput extends InputStream permits FileInput, PublisherInput {
  /** What can be read without filling. The reader's alone. */
  ByteBuffer buffer = ByteBuffer.allocate(0);

  /** Fills the buffer if it is empty. Returns whether there is a byte to read; false at the end. */
  abstract boolean fill() throws IOException;

  @Override
  public int read() throws IOException {
    return fill() ? buffer.get() & 0xFF : -1;
  }

  @Override
  public int read(byte[] dst, int off, int len) throws IOException {
    Objects.checkFromIndexSize(off, len, dst.length);
    if (len == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int n = Math.min(len, buffer.remaining());
    buffer.get(dst, off, n);
    return n;
  }
}
