package heddle.adapters.support;

import heddle.adapters.support.ContentPipe.Source;
import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Content that its writer writes again if the request has to be sent again, for example after a
 * redirect. It can be written again once it was written to its end. The second time must produce
 * the same bytes; different content fails the request before the end is sent.
 *
 * <p>Threads: the methods for the writer are called by the writing thread, the others by any
 * thread.
 */
final class RewrittenBody extends Body {
  private final long length;
  private final ContentPipe first;
  private final Source again;
  private final Sum sum = new Sum();
  private final AtomicBoolean opened = new AtomicBoolean();

  /** Pipes that wait for the content again; empty when the call is over. */
  private final BlockingQueue<Optional<ContentPipe>> wanted = new LinkedBlockingQueue<>();

  private volatile boolean written;
  private volatile @Nullable ContentPipe latest;

  /** The number of bytes written, and their checksum. */
  private static final class Sum {
    private final CRC32 checksum = new CRC32();
    private long count;

    void add(byte[] source, int offset, int size) {
      checksum.update(source, offset, size);
      count += size;
    }

    boolean isSame(Sum other) {
      return count == other.count && checksum.getValue() == other.checksum.getValue();
    }
  }

  /**
   * @param length in bytes, or {@link Body#UNKNOWN}
   * @param first the pipe that is written first
   * @param again writes the same content again
   */
  RewrittenBody(long length, ContentPipe first, Source again) {
    this.length = length;
    this.first = first;
    this.again = again;
  }

  // ---- for the writing thread

  /** Counts bytes that are about to be written. */
  void add(byte[] source, int offset, int size) {
    sum.add(source, offset, size);
    if (sum.count == length) {
      written = true; // The server may answer before end() is called.
    }
  }

  /** The content was written to its end, and can be written again from now on. */
  void end() {
    written = true;
  }

  /** Writes the content again each time it is requested, until the call is over. */
  void serve() throws InterruptedException {
    for (var next = wanted.take(); next.isPresent(); next = wanted.take()) {
      write(next.get());
    }
  }

  private void write(ContentPipe pipe) {
    Sum rewritten = new Sum();
    OutputStream out = new OutputStream() {
      @Override
      public void write(int octet) throws IOException {
        write(new byte[] {(byte) octet}, 0, 1);
      }

      @Override
      public void write(byte[] source, int offset, int size) throws IOException {
        rewritten.add(source, offset, size);
        pipe.output().write(source, offset, size);
      }
    };
    try {
      again.writeTo(out);
      if (!rewritten.isSame(sum)) {
        throw new IOException("the request had to be sent again, but its content had changed"
            + " when it was written again: " + rewritten.count + " bytes instead of " + sum.count
            + "; hold it in memory, or do not follow redirects");
      }
      pipe.end();
    } catch (IOException | RuntimeException | Error e) {
      pipe.fail(e); // Fails the call unless it is over.
    }
  }

  // ---- for any thread

  /** Ends the writing: the call is over. */
  void over() {
    ContentPipe last = latest;
    if (last != null) {
      last.abandon(null);
    }
    wanted.add(Optional.empty());
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return written;
  }

  @Override
  public InputStream stream() throws IOException {
    if (opened.compareAndSet(false, true)) {
      return first.input();
    }
    if (!written) {
      throw new IOException("the content of the request cannot be read again: it was not written");
    }
    ContentPipe pipe = new ContentPipe();
    latest = pipe;
    wanted.add(Optional.of(pipe));
    return pipe.input();
  }
}
