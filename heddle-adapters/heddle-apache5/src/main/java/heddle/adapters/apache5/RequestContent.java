package heddle.adapters.apache5;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request. Apache's entities write themselves and Heddle reads: what an entity
 * holds in memory anyway is sent from there; what is small and of known length is written to
 * memory, on the thread of the call, when it is to be sent; anything else by a virtual thread,
 * through a pipe. It is sent once: who repeats is Apache.
 */
final class RequestContent extends Body {
  /** The longest content that is copied to memory. */
  private static final long MOST_IN_MEMORY_BYTES = 256 * 1024;

  private final HttpEntity entity;
  private final long length;
  private @Nullable ByteBuffer whole;

  /**
   * What the entity has thrown, which is thrown again as it is; not where it was told that nobody
   * reads it any more.
   */
  private volatile @Nullable Throwable failure;

  RequestContent(HttpEntity entity) {
    this.entity = entity;
    this.length = entity.isChunked() ? UNKNOWN : Math.max(UNKNOWN, entity.getContentLength());
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
    return false;
  }

  @Override
  public @Nullable ByteBuffer inMemory() {
    if (failure != null) {
      return null;
    }
    ByteBuffer all = whole == null ? write() : whole;
    whole = all;
    return all == null ? null : all.asReadOnlyBuffer();
  }

  /**
   * All of it; null where it is to be read, or the entity has thrown, which reaches the caller by
   * way of the connection.
   */
  private @Nullable ByteBuffer write() {
    boolean held = isHeld(entity);
    if (!held && (length < 0 || length > MOST_IN_MEMORY_BYTES)) {
      return null;
    }
    try {
      return held ? held() : copied();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      return null;
    }
  }

  /**
   * Whether an entity consists of an array that it keeps. Of others it is not known what becomes of
   * an array that they have written. Both kinds write it at once, and in a method that is final.
   */
  private static boolean isHeld(HttpEntity entity) {
    return entity instanceof ByteArrayEntity || entity instanceof StringEntity;
  }

  private ByteBuffer held() throws IOException {
    Held sink = new Held();
    entity.writeTo(sink);
    return sink.bytes;
  }

  private ByteBuffer copied() throws IOException {
    Announced sink = new Announced((int) length);
    entity.writeTo(sink);
    return ByteBuffer.wrap(sink.whole());
  }

  @Override
  public InputStream stream() throws IOException {
    if (failure != null) {
      throw new IOException("the request's entity could not be written", failure);
    }
    EntityPipe pipe = new EntityPipe();
    Thread.ofVirtual().name("heddle-apache5-entity").start(() -> fill(pipe));
    return pipe.source;
  }

  // Runs on a thread of its own, so that whatever is thrown is told to the reader.
  private void fill(EntityPipe pipe) {
    Throwable thrown = null;
    try {
      entity.writeTo(length < 0 ? pipe.sink : new Truncated(pipe.sink, length));
    } catch (IOException | RuntimeException | Error e) {
      thrown = e;
      if (!pipe.isAbandoned()) {
        failure = e;
      }
    }
    pipe.end(thrown);
  }

  /** The array that an entity has written, in place. */
  private static final class Held extends OutputStream {
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    @Override
    public void write(int value) {
      throw new IllegalStateException("an entity in memory is written at once, not by the byte");
    }

    @Override
    public void write(byte[] source, int offset, int size) {
      bytes = ByteBuffer.wrap(source, offset, size).slice();
    }
  }

  /** As much as the entity has announced; what goes beyond is left out, as by Apache's streams. */
  private static final class Announced extends OutputStream {
    private final byte[] bytes;
    private int count;

    Announced(int length) {
      bytes = new byte[length];
    }

    @Override
    public void write(int value) {
      if (count < bytes.length) {
        bytes[count++] = (byte) value;
      }
    }

    @Override
    public void write(byte[] source, int offset, int size) {
      int taken = Math.min(size, bytes.length - count);
      System.arraycopy(source, offset, bytes, count, taken);
      count += taken;
    }

    byte[] whole() throws IOException {
      if (count < bytes.length) {
        throw new IOException("the entity wrote " + count + " bytes and has announced "
            + bytes.length + ": give its true length, or -1");
      }
      return bytes;
    }
  }

  private static final class Truncated extends OutputStream {
    private final OutputStream sink;
    private long left;

    Truncated(OutputStream sink, long length) {
      this.sink = sink;
      this.left = length;
    }

    @Override
    public void write(int value) throws IOException {
      if (left > 0) {
        left--;
        sink.write(value);
      }
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      int taken = (int) Math.min(size, left);
      left -= taken;
      sink.write(source, offset, taken);
    }
  }
}
