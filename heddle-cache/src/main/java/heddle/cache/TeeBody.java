package heddle.cache;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** A received body that is recorded while it is read; if it is replayable, for the first time. */
final class TeeBody extends Body {
  /** Takes what was read. Its failures are not those of the reader. */
  interface Tape {
    void write(byte[] bytes, int offset, int count);

    /** The content was read to its end. */
    void complete();

    /** The content will not be read to its end. Does nothing after {@link #complete}. */
    void abandon();
  }

  private final Body content;
  private final Tape tape;
  private final AtomicBoolean opened = new AtomicBoolean();

  TeeBody(Body content, Tape tape) {
    this.content = content;
    this.tape = tape;
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
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public InputStream stream() throws IOException {
    InputStream in = content.stream();
    return opened.compareAndSet(false, true) ? new Tee(in, content.length(), tape) : in;
  }

  @Override
  public long discard() throws IOException {
    tape.abandon();
    return content.discard();
  }

  @Override
  public void close() throws IOException {
    tape.abandon();
    content.close();
  }

  private static final class Tee extends InputStream {
    private final InputStream in;
    private final long length;
    private final Tape tape;
    private long read;

    Tee(InputStream in, long length, Tape tape) {
      this.in = in;
      this.length = length;
      this.tape = tape;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int count) throws IOException {
      boolean done = false;
      try {
        int n = in.read(target, offset, count);
        if (n > 0) {
          tape.write(target, offset, n);
          read += n;
        }
        // Not all readers look for the end of content whose length they know.
        if (length == UNKNOWN ? n < 0 && count > 0 : read == length) {
          tape.complete();
        } else if (n < 0 && count > 0) {
          tape.abandon(); // It is shorter than it should be.
        }
        done = true;
        return n;
      } finally {
        if (!done) {
          tape.abandon();
        }
      }
    }

    @Override
    public int available() throws IOException {
      return in.available();
    }

    @Override
    public void close() throws IOException {
      tape.abandon();
      in.close();
    }
  }
}
