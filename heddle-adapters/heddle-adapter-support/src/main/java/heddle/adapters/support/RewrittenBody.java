package heddle.adapters.support;

import heddle.adapters.support.WrittenContent.Source;
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
 * Content that its writer writes once more where the request has to be sent again, as after a
 * redirect, once it was written to its end. Then the same has to be written: other content fails
 * the request before its end is sent.
 *
 * <p>Threads: what is said of writing belongs to the thread that writes; the others may be called
 * by anyone.
 */
final class RewrittenBody extends Body {
  private final long length;
  private final ContentPipe first;
  private final Source again;
  private final Sum sum = new Sum();
  private final AtomicBoolean opened = new AtomicBoolean();

  /** Where content is wanted once more; none when the call is over. */
  private final BlockingQueue<Optional<ContentPipe>> wanted = new LinkedBlockingQueue<>();

  private volatile boolean written;
  private volatile @Nullable ContentPipe latest;

  /** How much was written, and what it comes to. */
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
   * @param first what is being written
   * @param again writes the same
   */
  RewrittenBody(long length, ContentPipe first, Source again) {
    this.length = length;
    this.first = first;
    this.again = again;
  }

  // ---- of the thread that writes

  /** Some more will be written now. */
  void add(byte[] source, int offset, int size) {
    sum.add(source, offset, size);
    if (sum.count == length) {
      written = true; // The server may answer before the writer says that this was all.
    }
  }

  /** All was written, and can be again from now on. */
  void end() {
    written = true;
  }

  /** Writes once more whenever that is wanted, until the call is over. */
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
        pipe.write(source, offset, size);
      }
    };
    try {
      again.writeTo(out);
      if (!rewritten.isSame(sum)) {
        throw new IOException("the request had to be sent again, and its content was another when"
            + " it was written once more: " + rewritten.count + " bytes, and " + sum.count
            + " before; hold it, or follow no redirects");
      }
      pipe.end();
    } catch (IOException | RuntimeException | Error e) {
      pipe.fail(e); // The call fails of it, unless it is over.
    }
  }

  // ---- of others

  /** The call is over. */
  void over() {
    ContentPipe last = latest;
    if (last != null) {
      last.readerGone();
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
