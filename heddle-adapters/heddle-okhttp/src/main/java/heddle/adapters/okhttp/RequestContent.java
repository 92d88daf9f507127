package heddle.adapters.okhttp;

import heddle.adapters.support.ContentBuffers;
import heddle.http.Body;
import heddle.http.io.ContentPipe;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.RequestBody;
import okio.Buffer;
import okio.BufferedSink;
import okio.Okio;
import okio.Sink;
import okio.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request. OkHttp's bodies write themselves, but Heddle reads. A small body of
 * known length is written to memory by the thread of the call once it has a connection. Any other
 * is written by a virtual thread through a pipe of 64 KiB.
 */
final class RequestContent extends Body {
  /** The maximum length of content that is held in memory. */
  static final long MOST_IN_MEMORY_BYTES = ContentBuffers.MOST_BYTES;

  /** How long the end of content is awaited whose response has come first. */
  private static final long CUT_MILLIS = 100;

  private static final ContentBuffers BUFFERS = new ContentBuffers();

  private final RequestBody body;
  private final long length;
  private final HeddleExchange exchange;

  /** What the body has written, perhaps in a longer array; null before it is written. */
  private byte @Nullable [] written;

  /** Whether the array must be given back after sending. */
  private boolean borrowed;

  /** Counted down when streamed content was read to its end, or is read no further. */
  private final CountDownLatch over = new CountDownLatch(1);

  private volatile boolean cutOff;

  private volatile @Nullable Throwable failure;

  RequestContent(RequestBody body, long length, HeddleExchange exchange) {
    this.body = body;
    this.length = length;
    this.exchange = exchange;
  }

  void rethrowOwn() throws IOException {
    rethrow(failure);
  }

  /** Throws what a body has thrown; does nothing for null. */
  static void rethrow(@Nullable Throwable failure) throws IOException {
    switch (failure) {
      case null -> {}
      case IOException e -> throw e;
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case Throwable e -> throw new IllegalStateException(e);
    }
  }

  /**
   * Whether the server has stopped reading the content early. A server that has done so says it
   * right after its response.
   */
  boolean isCutOff() {
    try {
      return over.await(CUT_MILLIS, TimeUnit.MILLISECONDS) && cutOff;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return !body.isOneShot();
  }

  // ---- in memory

  /** Whether {@link #sent} must be called. */
  boolean wantsToKnow() {
    return ContentBuffers.areKeptFor(length);
  }

  /**
   * Called when the request was written. If it is sent again, the body is written again.
   *
   * @param atOnce whether the content in memory is no longer needed
   */
  void sent(boolean atOnce) {
    byte[] held = written;
    if (borrowed && atOnce && held != null) {
      written = null;
      BUFFERS.giveBack(held);
    }
    borrowed = false;
  }

  @Override
  public @Nullable ByteBuffer inMemory() {
    if (length < 0 || length > MOST_IN_MEMORY_BYTES || failure != null) {
      return null;
    }
    exchange.bodyStarts();
    byte[] held = written == null ? write((int) length) : written;
    written = held;
    if (held == null) {
      return null;
    }
    exchange.bodySent(length);
    return ByteBuffer.wrap(held, 0, (int) length).asReadOnlyBuffer();
  }

  /**
   * Returns the written body, or null if it has thrown, which the exchange reports to the caller.
   */
  private byte @Nullable [] write(int size) {
    borrowed = exchange.writesAtOnce();
    byte[] target = borrowed ? BUFFERS.take(size) : new byte[size];
    try {
      Collecting collected = new Collecting(target);
      BufferedSink sink = Okio.buffer(collected);
      body.writeTo(sink);
      sink.close();
      checkLength(collected.count);
      return target;
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      return null;
    }
  }

  /** Collects a body in memory, and rejects more bytes than announced. */
  private final class Collecting implements Sink {
    private final byte[] target;
    private int count;

    Collecting(byte[] target) {
      this.target = target;
    }

    @Override
    public void write(Buffer source, long bytes) throws IOException {
      if (bytes > length - count) {
        checkLength(count + bytes);
      }
      for (int left = (int) bytes; left > 0; ) {
        int read = source.read(target, count, left);
        count += read;
        left -= read;
      }
    }

    @Override
    public void flush() {}

    @Override
    public Timeout timeout() {
      return Timeout.NONE;
    }

    @Override
    public void close() throws IOException {
      checkLength(count);
    }
  }

  private void checkLength(long count) throws ProtocolException {
    if (length >= 0 && count > length) {
      throw new ProtocolException("expected " + length + " bytes but received " + count);
    }
    if (length >= 0 && count < length) {
      throw new ProtocolException("unexpected end of stream");
    }
  }

  // ---- streamed

  @Override
  public InputStream stream() throws IOException {
    if (failure != null) {
      throw new IOException("the request's body could not be written", failure);
    }
    exchange.bodyStarts();
    ContentPipe pipe = new ContentPipe();
    pipe.fillWith(
        output -> {
          // Closing the sink ends the content, so not after a failure.
          BufferedSink sink = Okio.buffer(Okio.sink(output));
          body.writeTo(sink);
          sink.close();
        },
        "heddle-okhttp-body");
    return new Piped(pipe);
  }

  /** The reading end of a pipe that the body is written into. */
  private final class Piped extends FilterInputStream {
    private final ContentPipe pipe;
    private long count;

    Piped(ContentPipe pipe) {
      super(pipe.input());
      this.pipe = pipe;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      exchange.writing(false);
      int read;
      try {
        read = in.read(target, offset, size);
        count += Math.max(read, 0);
        if (read < 0 || (length >= 0 && count > length)) {
          checkLength(count);
        }
      } catch (IOException e) {
        Throwable own = pipe.failure();
        failure = own != null ? own : e instanceof ProtocolException ? e : failure;
        throw e;
      }
      if (read < 0) {
        exchange.bodySent(count);
        over.countDown();
      }
      exchange.writing(true);
      return read;
    }

    @Override
    public void close() {
      cutOff = over.getCount() > 0;
      over.countDown();
      pipe.abandon(null);
    }
  }
}
