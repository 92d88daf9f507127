package heddle.adapters.support;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.io.ContentPipe;
import heddle.http.io.ContentPipe.Source;
import heddle.http.io.Interrupts;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Sends a request whose content is written by a callback on the calling thread. Content up to a
 * limit is held in memory and sent at once with its length. When more is written, a virtual thread
 * sends the request while the caller continues to write. For one request and one thread.
 */
public final class WrittenContent extends OutputStream {
  /** The default for the number of bytes that are held: 64 KiB. */
  public static final int MOST_HELD = 64 * 1024;

  private final HttpClient client;
  private final Request.Builder request;
  private Held held = new Held(32);
  private long announced = Body.UNKNOWN;
  private int mostHeld = MOST_HELD;
  private boolean ofUnknownLength;
  private @Nullable Source again;

  /** The request, when the content exceeds what is held; null before. */
  private @Nullable Sending sending;

  /** The held content. If it has the announced length, its array is used without a copy. */
  private static final class Held extends ByteArrayOutputStream {
    Held(int expected) {
      super(expected);
    }

    byte[] content() {
      return count == buf.length ? buf : toByteArray();
    }
  }

  /**
   * @param request is built when it is sent, so its fields may be set until the first byte is
   *     written
   */
  public WrittenContent(HttpClient client, Request.Builder request) {
    this.client = client;
    this.request = request;
  }

  /**
   * Announces the length of the content. It matters if more is written than is held: writing less
   * or more than announced then fails.
   *
   * @param length in bytes, or {@link Body#UNKNOWN}
   */
  public void announce(long length) {
    announced = length;
    if (length > 0 && length <= Math.min(mostHeld, MOST_HELD) && held.size() == 0) {
      held = new Held((int) length);
    }
  }

  /**
   * Sets how much content is held in memory.
   *
   * @param bytes {@link Integer#MAX_VALUE} for all of it
   */
  public void hold(int bytes) {
    mostHeld = bytes;
  }

  /**
   * Sends the content with unknown length, in chunks over HTTP/1.1, even if it is short. Flushing
   * sends what was written so far.
   */
  public void beOfUnknownLength() {
    ofUnknownLength = true;
  }

  /**
   * Sets how the content is written again if it exceeds what is held and the request has to be sent
   * again, for example after a redirect. The source is called by the thread that called {@link
   * #send}, which waits for the response then. It must write the same content, or the request
   * fails.
   */
  public void repeatWith(Source source) {
    again = source;
  }

  /**
   * Writes the content, and waits for the response.
   *
   * @throws IOException if the call fails, or if writing the content throws it
   */
  public Response send(Source content) throws IOException {
    try {
      content.writeTo(this);
    } catch (IOException | RuntimeException | Error e) {
      Sending begun = sending;
      if (begun == null || begun.abort(e)) {
        throw e;
      }
      return begun.await(); // Writing failed because the call was over: its outcome counts.
    }
    Sending begun = sending;
    if (begun == null) {
      return client.send(request.body(whole()).build());
    }
    begun.written = true;
    begun.first.end();
    return begun.await();
  }

  private Body whole() {
    byte[] content = held.content();
    return ofUnknownLength
        ? Body.replayable(Body.UNKNOWN, () -> new ByteArrayInputStream(content))
        : Body.of(content);
  }

  /** The number of bytes written while all are held, {@link Body#UNKNOWN} afterwards. */
  public long held() {
    return sending == null ? held.size() : Body.UNKNOWN;
  }

  // ---- OutputStream

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] source, int offset, int count) throws IOException {
    Sending begun = sending;
    if (begun == null && count <= mostHeld - held.size()) {
      held.write(source, offset, count);
    } else {
      (begun == null ? begin() : begun).write(source, offset, count);
    }
  }

  private Sending begin() throws IOException {
    Sending begun = new Sending(ofUnknownLength ? Body.UNKNOWN : announced, again);
    sending = begun;
    begun.start(client, request);
    byte[] before = held.toByteArray();
    begun.write(before, 0, before.length);
    return begun;
  }

  /** Does nothing unless the length is unknown: content is sent when there is enough of it. */
  @Override
  public void flush() throws IOException {
    if (ofUnknownLength && sending == null && held.size() > 0) {
      var ignored = begin();
    }
  }

  /** Does nothing: the content ends when its source returns. */
  @Override
  public void close() {}

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
   * The request that is sent while its content is written. Content that was written to its end can
   * be written again, which must produce the same bytes; different content fails the request before
   * the end is sent. The body's methods are called by any thread, the others by the writing one.
   */
  private static final class Sending extends Body {
    private final ContentPipe first = new ContentPipe();
    private final long length;
    private final @Nullable Source again;
    private final Sum sum = new Sum();
    private final AtomicBoolean opened = new AtomicBoolean();
    private CompletableFuture<Response> answer = new CompletableFuture<>();

    /** Pipes that wait for the content again; empty when the call is over. */
    private final BlockingQueue<Optional<ContentPipe>> wanted = new LinkedBlockingQueue<>();

    private volatile boolean written;
    private volatile @Nullable ContentPipe latest;

    /**
     * @param length in bytes, or {@link Body#UNKNOWN}
     * @param again writes the same content again; null if it cannot be
     */
    Sending(long length, @Nullable Source again) {
      this.length = length;
      this.again = again;
    }

    void start(HttpClient client, Request.Builder request) {
      answer = client.sendAsync(request.body(this).build());
      // However the call ends, the content is no longer read.
      var ignored = answer.whenComplete((response, failure) -> {
        first.abandon(null);
        ContentPipe last = latest;
        if (last != null) {
          last.abandon(null);
        }
        wanted.add(Optional.empty());
      });
    }

    void write(byte[] source, int offset, int size) throws IOException {
      if (again != null) {
        sum.add(source, offset, size);
        if (sum.count == length) {
          written = true; // The server may answer before the writer returns.
        }
      }
      first.output().write(source, offset, size);
    }

    /** Aborts the call because writing has failed. Returns false if the call was over before. */
    boolean abort(Throwable thrown) {
      if (first.hasRefused()) {
        return false;
      }
      first.fail(thrown);
      answer.cancel(true);
      return true;
    }

    Response await() throws IOException {
      try {
        for (var next = wanted.take(); next.isPresent(); next = wanted.take()) {
          rewrite(next.get());
        }
        return answer.get();
      } catch (InterruptedException e) {
        IOException interrupted =
            Interrupts.restored("interrupted while the response was awaited", e);
        answer.cancel(true);
        throw interrupted;
      } catch (ExecutionException e) {
        switch (e.getCause()) {
          case IOException failure -> throw failure;
          case RuntimeException failure -> throw failure;
          case null, default -> throw new IOException("the call failed: " + e.getCause(), e);
        }
      }
    }

    private void rewrite(ContentPipe pipe) {
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
        Objects.requireNonNull(again).writeTo(out);
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

    @Override
    public long length() {
      return length;
    }

    @Override
    public boolean isReplayable() {
      return written && again != null;
    }

    @Override
    public InputStream stream() throws IOException {
      if (opened.compareAndSet(false, true)) {
        return first.input();
      }
      if (!isReplayable()) {
        throw new IOException(
            "the content of the request cannot be read again: it was not written");
      }
      ContentPipe pipe = new ContentPipe();
      latest = pipe;
      wanted.add(Optional.of(pipe));
      return pipe.input();
    }
  }
}
