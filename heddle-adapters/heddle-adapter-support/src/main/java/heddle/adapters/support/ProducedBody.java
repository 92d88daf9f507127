package heddle.adapters.support;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Content that its producer writes to a {@linkplain #pipe pipe} when the sending thread asks for
 * it. Short content of known length that is available without waiting is sent with the head. It is
 * sent once: Apache repeats requests.
 */
public abstract class ProducedBody extends Body implements ContentPipe.Producer {
  /** The maximum length of content that is sent at once: the size of one read of a stream. */
  private static final int MOST_AT_ONCE_BYTES = 64 * 1024;

  private static final ContentBuffers BUFFERS = new ContentBuffers();

  /** Takes what is produced. */
  protected final ContentPipe pipe;

  private final long length;
  private final BooleanSupplier writtenAtOnce;
  private @Nullable ByteBuffer whole;
  private boolean complete;

  /** The array of the whole content, if it may be reused after sending. */
  private byte @Nullable [] borrowed;

  /**
   * @param length in bytes; negative if unknown
   * @param writtenAtOnce whether the connection no longer needs the content once it was {@link
   *     #sent}
   */
  @SuppressWarnings("this-escape") // the pipe only stores it
  protected ProducedBody(long length, BooleanSupplier writtenAtOnce) {
    this.length = Math.max(UNKNOWN, length);
    this.writtenAtOnce = writtenAtOnce;
    this.pipe = new ContentPipe(this);
  }

  /** What the producer has thrown, which is reported unchanged; null if nothing. */
  public final @Nullable Throwable failure() {
    return pipe.failure();
  }

  /** Called on the sending thread when the request was written. */
  public final void sent() {
    byte[] array = borrowed;
    if (array != null) {
      borrowed = null;
      complete = false;
      whole = ByteBuffer.allocate(0);
      pipe.forgetWhole();
      BUFFERS.giveBack(array);
    }
  }

  /**
   * Runs the producer to its end if the server has answered early. The rest of the content is
   * discarded, but the exchange ends only when both have ended.
   */
  public final void finish() throws IOException {
    pipe.finish();
  }

  @Override
  public final long length() {
    return length;
  }

  @Override
  public final boolean isReplayable() {
    return false;
  }

  @Override
  public final @Nullable ByteBuffer inMemory() {
    if (length < 0 || length > MOST_AT_ONCE_BYTES) {
      return null;
    }
    ByteBuffer all = whole;
    if (all == null) {
      all = memory((int) length);
      complete = pipe.takeWhole(all);
      whole = all.flip();
    }
    return complete ? all.asReadOnlyBuffer() : null;
  }

  private ByteBuffer memory(int size) {
    if (!ContentBuffers.areKeptFor(size) || !writtenAtOnce.getAsBoolean()) {
      return ByteBuffer.allocate(size);
    }
    byte[] array = BUFFERS.take(size);
    borrowed = array;
    return ByteBuffer.wrap(array, 0, size);
  }

  @Override
  public final InputStream stream() {
    return pipe.input();
  }
}
