package heddle.adapters.okhttp;

import heddle.http.Body;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import okhttp3.RequestBody;
import okio.Buffer;
import okio.BufferedSink;
import okio.Okio;
import okio.Pipe;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request. OkHttp's bodies write themselves and Heddle reads: what is small and of
 * known length is written to memory, on the thread of the call, when the connection is there;
 * anything else by a virtual thread, through a pipe that holds 64 KiB.
 */
final class RequestContent extends Body {
  /** The longest content that is held in memory. */
  static final long MOST_IN_MEMORY_BYTES = 256 * 1024;

  private static final long PIPE_BYTES = 64 * 1024;

  private final RequestBody body;
  private final long length;
  private final HeddleExchange exchange;

  private byte @Nullable [] written;

  /** What the body has thrown, which is thrown again as it is. */
  private volatile @Nullable Throwable failure;

  RequestContent(RequestBody body, long length, HeddleExchange exchange) {
    this.body = body;
    this.length = length;
    this.exchange = exchange;
  }

  @Nullable
  Throwable failure() {
    return failure;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return !body.isOneShot();
  }

  @Override
  public @Nullable ByteBuffer inMemory() {
    if (length < 0 || length > MOST_IN_MEMORY_BYTES || failure != null) {
      return null;
    }
    exchange.bodyStarts();
    byte[] held = written == null ? write() : written;
    written = held;
    if (held == null) {
      return null;
    }
    exchange.bodySent(held.length);
    return ByteBuffer.wrap(held).asReadOnlyBuffer();
  }

  /** Null where the body has thrown, which reaches the caller by way of the exchange. */
  private byte @Nullable [] write() {
    try {
      Buffer buffer = new Buffer();
      body.writeTo(buffer);
      checkLength(buffer.size());
      return buffer.readByteArray();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      return null;
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

  @Override
  public InputStream stream() throws IOException {
    if (failure != null) {
      throw new IOException("the request's body could not be written", failure);
    }
    exchange.bodyStarts();
    Pipe pipe = new Pipe(PIPE_BYTES);
    Piped piped = new Piped(pipe);
    Thread.ofVirtual().name("heddle-okhttp-body").start(() -> piped.fill(pipe));
    return piped;
  }

  /** The reading end of a pipe that a body writes into. */
  private final class Piped extends FilterInputStream {
    private final Pipe pipe;
    private long count;

    /** What the body has thrown; written before the pipe ends. */
    private volatile @Nullable Throwable thrown;

    Piped(Pipe pipe) {
      super(Okio.buffer(pipe.source()).inputStream());
      this.pipe = pipe;
    }

    // Runs on a thread of its own, so that whatever is thrown is told to the reader.
    void fill(Pipe target) {
      BufferedSink sink = Okio.buffer(target.sink());
      try {
        body.writeTo(sink);
        sink.emit();
      } catch (IOException | RuntimeException | Error e) {
        thrown = e;
      }
      end(sink);
    }

    private void end(BufferedSink sink) {
      try {
        sink.close();
      } catch (IOException | IllegalStateException e) {
        // The reader has gone away, or has been told of what was thrown before.
        thrown = thrown == null ? e : thrown;
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      exchange.writing(false);
      int read = super.read(target, offset, size);
      Throwable known = thrown;
      if (read < 0 && known != null) {
        failure = known;
        throw new IOException("the request's body could not be written", known);
      }
      try {
        count += Math.max(read, 0);
        if (read < 0 || (length >= 0 && count > length)) {
          checkLength(count);
        }
      } catch (ProtocolException e) {
        failure = e;
        throw e;
      }
      if (read < 0) {
        exchange.bodySent(count);
      }
      exchange.writing(true);
      return read;
    }

    @Override
    public void close() throws IOException {
      pipe.cancel();
      super.close();
    }
  }
}
