package heddle.adapters.jdk;

import heddle.adapters.support.ContentBuffers;
import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.Flow;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request from its publisher. Each time the content is sent, the publisher is
 * subscribed to again; the JDK's publishers support that, and its own client does the same. Used by
 * the thread of the call.
 */
final class PublishedBody extends Body {
  private static final String JDKS = "jdk.internal.net.http.RequestPublishers$";

  /**
   * The JDK's publishers that hold their content in memory. Small content is taken at once and sent
   * with the head; any other content is read while it is sent.
   */
  private static final Set<String> OF_MEMORY =
      Set.of(JDKS + "ByteArrayPublisher", JDKS + "StringPublisher");

  /** Publishers of files, which do not block for long. */
  private static final String OF_FILES = JDKS + "FilePublisher";

  private static final ContentBuffers BUFFERS = new ContentBuffers();

  private final BodyPublisher publisher;
  private final long length;
  private final BooleanSupplier writtenAtOnce;
  private boolean isOfMemory;

  /** The published content, perhaps in a longer array; null before it is published. */
  private byte @Nullable [] held;

  /** Whether the array must be given back after sending. */
  private boolean borrowed;

  /** What the publisher's {@code subscribe} has thrown. */
  private @Nullable Throwable thrown;

  /** The stream of the latest attempt to send it. */
  private @Nullable PublishedInput input;

  private PublishedBody(BodyPublisher publisher, long length, BooleanSupplier writtenAtOnce) {
    this.publisher = publisher;
    this.length = length;
    this.writtenAtOnce = writtenAtOnce;
    this.isOfMemory = length >= 0
        && length <= ContentBuffers.MOST_BYTES
        && OF_MEMORY.contains(publisher.getClass().getName());
  }

  /**
   * Returns the content of a publisher, which is empty without a publisher.
   *
   * @param writtenAtOnce whether the sending connection no longer needs the content once the
   *     request is written
   */
  static Body of(@Nullable BodyPublisher publisher, BooleanSupplier writtenAtOnce) {
    long length = publisher == null ? 0 : publisher.contentLength();
    return publisher == null || length == 0
        ? Body.empty()
        : new PublishedBody(publisher, length < 0 ? UNKNOWN : length, writtenAtOnce);
  }

  /** What the publisher has failed with; null if it has not failed. */
  @Nullable
  Throwable failure() {
    PublishedInput read = input;
    return thrown != null || read == null ? thrown : read.failure();
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public boolean isReplayable() {
    return true;
  }

  // ---- in memory

  /** Called when the request was written. If it is sent again, its publisher publishes again. */
  void sent() {
    byte[] taken = held;
    if (borrowed && taken != null && writtenAtOnce.getAsBoolean()) {
      held = null;
      BUFFERS.giveBack(taken);
    }
    borrowed = false;
  }

  @Override
  public @Nullable ByteBuffer inMemory() {
    if (isOfMemory && held == null) {
      held = take((int) length);
      isOfMemory = held != null; // Otherwise reading it reports the failure.
    }
    byte[] all = held;
    return all == null ? null : ByteBuffer.wrap(all, 0, (int) length).asReadOnlyBuffer();
  }

  private byte @Nullable [] take(int size) {
    borrowed = writtenAtOnce.getAsBoolean();
    byte[] target = borrowed ? BUFFERS.take(size) : new byte[size];
    return new Taking(ByteBuffer.wrap(target, 0, size)).takesAll(publisher) ? target : null;
  }

  /** Takes what a publisher publishes within {@code subscribe}. */
  private static final class Taking implements Flow.Subscriber<ByteBuffer> {
    private final ByteBuffer taken;
    private boolean fits = true;
    private boolean complete;

    Taking(ByteBuffer taken) {
      this.taken = taken;
    }

    /** Whether all content was published at once, with the announced length. */
    boolean takesAll(BodyPublisher publisher) {
      publisher.subscribe(this);
      return complete && fits && !taken.hasRemaining();
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      fits &= buffer.remaining() <= taken.remaining();
      if (fits) {
        taken.put(buffer);
      }
    }

    @Override
    public void onError(Throwable failure) {
      fits = false;
    }

    @Override
    public void onComplete() {
      complete = true;
    }
  }

  // ---- streamed

  @Override
  public InputStream stream() throws IOException {
    String kind = publisher.getClass().getName();
    thrown = null;
    input = null;
    try {
      PublishedInput opened =
          PublishedInput.of(publisher, !OF_MEMORY.contains(kind) && !kind.equals(OF_FILES));
      input = opened;
      return opened;
    } catch (RuntimeException | Error e) {
      thrown = e;
      throw e;
    }
  }
}
