package heddle.server.spi;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Status;
import heddle.http.io.FileInput;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The body of a response that a handler has returned; its server closes it once. */
final class WatchedBody extends Body {
  /** Longer content is read from memory in pieces, so that it is known how much was sent. */
  private static final int MOST_AT_ONCE = 64 * 1024;

  private final Body content;
  private final ExchangeWatch watch;
  private final Status status;
  private final boolean dropped;

  private long sent;
  private boolean whole;
  private @Nullable Throwable failure;
  private @Nullable FileInput file;

  WatchedBody(Body content, ExchangeWatch watch, Status status) {
    this.content = content;
    this.watch = watch;
    this.status = status;
    this.dropped = content.length() == 0 || watch.dropsContent(status);
    this.whole = dropped;
  }

  @Override
  public long length() {
    return content.length();
  }

  /** Each opening is counted, so there is only one. */
  @Override
  public boolean isReplayable() {
    return false;
  }

  @Override
  public boolean isWritten() {
    return content.isWritten();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public @Nullable ByteBuffer inMemory() {
    ByteBuffer memory = content.inMemory();
    if (memory == null || memory.remaining() > MOST_AT_ONCE) {
      return null;
    }
    if (!dropped) {
      sent = memory.remaining();
      whole = true;
    }
    return memory;
  }

  @Override
  protected long write(OutputStream out) throws IOException {
    try {
      long count = content.transferTo(new Counted(out));
      whole = true;
      return count;
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  @Override
  public InputStream stream() throws IOException {
    sent = 0; // a filter may have asked for the memory, and reads the content all the same
    whole = dropped;
    InputStream in = content.stream();
    if (in instanceof FileInput opened) {
      file = opened; // which counts by itself, and which the operating system may send
      return opened;
    }
    return new CountedInput(in);
  }

  @Override
  public void close() throws IOException {
    FileInput opened = file;
    if (opened != null && !dropped) {
      sent = opened.taken();
      whole = sent == length();
    }
    try (content) {
      watch.end(status, dropped ? 0 : sent, whole && failure == null, failure);
    }
  }

  /** What the server reads, which it then sends. */
  private final class CountedInput extends FilterInputStream {
    CountedInput(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      try {
        int count = in.read(target, offset, size);
        if (count < 0) {
          whole = true;
        } else {
          sent += count;
        }
        return count;
      } catch (IOException | RuntimeException | Error e) {
        failure = e;
        throw e;
      }
    }

    @Override
    public long skip(long count) throws IOException {
      return in.skip(count);
    }
  }

  /** What the content's writer writes. */
  private final class Counted extends FilterOutputStream {
    Counted(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int octet) throws IOException {
      out.write(octet);
      sent++;
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      out.write(source, offset, size);
      sent += size;
    }
  }
}
