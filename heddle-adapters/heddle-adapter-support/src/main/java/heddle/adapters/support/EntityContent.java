package heddle.adapters.support;

import heddle.http.Body;
import heddle.http.io.ContentPipe;
import heddle.http.io.ContentPipe.Source;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request whose entity writes itself, while Heddle reads. An entity in memory is
 * sent from there. A small one of known length is written to memory by the thread of the call when
 * it is sent. Any other is written by a virtual thread through a pipe. It is sent once: Apache
 * repeats requests.
 */
public final class EntityContent extends Body {
  /** The maximum length of content that is copied to memory. */
  private static final long MOST_IN_MEMORY_BYTES = 256 * 1024;

  private final Source entity;
  private final boolean held;
  private final long length;
  private @Nullable ByteBuffer whole;

  /**
   * What the entity has thrown, which is rethrown unchanged. Not set if the entity failed because
   * its content was no longer read.
   */
  private volatile @Nullable Throwable failure;

  /** Through which the entity is written; null if it is not. */
  private volatile @Nullable ContentPipe pipe;

  /**
   * @param length in bytes; negative if unknown
   * @param held whether the entity is an array that it keeps and writes with one call
   */
  public EntityContent(long length, boolean held, Source entity) {
    this.length = Math.max(UNKNOWN, length);
    this.held = held;
    this.entity = entity;
  }

  /** What the entity has thrown; null if nothing. */
  public @Nullable Throwable failure() {
    ContentPipe filled = pipe;
    return failure == null && filled != null ? filled.failure() : failure;
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
   * Returns the whole content, or null if it must be read, or if the entity has thrown, which the
   * connection reports to the caller.
   */
  private @Nullable ByteBuffer write() {
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

  private ByteBuffer held() throws IOException {
    Held sink = new Held();
    entity.writeTo(sink);
    return sink.bytes;
  }

  private ByteBuffer copied() throws IOException {
    Memory sink = new Memory((int) length);
    entity.writeTo(new Truncated(sink, length));
    if (sink.size() < length) {
      throw new IOException("the entity wrote " + sink.size() + " bytes but announced " + length
          + ": announce its true length, or -1");
    }
    return sink.whole();
  }

  @Override
  public InputStream stream() throws IOException {
    if (failure != null) {
      throw new IOException("the request's entity could not be written", failure);
    }
    ContentPipe filled = new ContentPipe();
    pipe = filled;
    filled.fillWith(
        sink -> entity.writeTo(length < 0 ? sink : new Truncated(sink, length)), "heddle-entity");
    return filled.input();
  }

  /** The array that an entity has written, without a copy. */
  private static final class Held extends OutputStream {
    private ByteBuffer bytes = ByteBuffer.allocate(0);

    @Override
    public void write(int value) {
      throw new IllegalStateException(
          "an entity in memory must be written with one call, not byte by byte");
    }

    @Override
    public void write(byte[] source, int offset, int size) {
      bytes = ByteBuffer.wrap(source, offset, size).slice();
    }
  }

  /** A copy of content that fits, whose array is sent. */
  private static final class Memory extends ByteArrayOutputStream {
    Memory(int length) {
      super(length);
    }

    ByteBuffer whole() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }

  /** Takes as many bytes as the entity has announced and drops any more, as Apache's streams do. */
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
