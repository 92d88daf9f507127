package heddle.web.filter;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Content that is read in order to be compressed. It has to have its length, because that of the
 * response says nothing about it any more. If its length is unknown, what was read is sent at once,
 * as without compression: it may be a stream of events.
 */
final class UncodedContent extends Body {
  private final Body content;

  private UncodedContent(Body content) {
    this.content = content;
  }

  /** This content to be compressed; one that is not read from a stream as it is. */
  static Body of(Body content) {
    return content.isWritten() || content.inMemory() != null
        ? content
        : new UncodedContent(content);
  }

  @Override
  public long length() {
    return content.length();
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  @Override
  public boolean isDuplex() {
    return length() == UNKNOWN;
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public InputStream stream() throws IOException {
    InputStream in = content.stream();
    return length() == UNKNOWN ? in : new Measured(in, length());
  }

  @Override
  public void close() throws IOException {
    content.close();
  }

  /** Holds a stream to the length of its body. */
  private static final class Measured extends FilterInputStream {
    private final long length;
    private long count;

    Measured(InputStream in, long length) {
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
}
