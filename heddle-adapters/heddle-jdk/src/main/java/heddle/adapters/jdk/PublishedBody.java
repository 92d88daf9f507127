package heddle.adapters.jdk;

import heddle.adapters.support.ContentBuffers;
import heddle.adapters.support.PublishedContent;
import heddle.adapters.support.ReusedContent;
import heddle.http.Body;
import java.io.FilterInputStream;
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
final class PublishedBody extends Body implements ReusedContent {
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

  /** The content when it is read while it is sent. */
  private final PublishedContent streamed;

  /** Why the latest stream failed, if the publisher published too little or too much. */
  private volatile @Nullable IOException miscounted;

  private PublishedBody(BodyPublisher publisher, long length, BooleanSupplier writtenAtOnce) {
    this.publisher = publisher;
    this.length = length;
    this.writtenAtOnce = writtenAtOnce;
    String kind = publisher.getClass().getName();
    boolean memory = OF_MEMORY.contains(kind);
    this.isOfMemory = memory && length >= 0 && length <= ContentBuffers.MOST_BYTES;
    this.streamed = new PublishedContent(publisher, length, !memory && !kind.equals(OF_FILES));
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
    return miscounted == null ? streamed.failure() : miscounted;
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
  @Override
  public void sent() {
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
    miscounted = null;
    InputStream opened = streamed.stream();
    return length < 0 ? opened : new Counted(opened);
  }

  /** Checks that the publisher publishes as much as it has announced. */
  private final class Counted extends FilterInputStream {
    private long count;

    Counted(InputStream opened) {
      super(opened);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      int read = super.read(target, offset, size);
      count += Math.max(read, 0);
      String wrong = null;
      if (read < 0 && count < length) {
        wrong = "Too few bytes returned by the publisher (" + count + "/" + length + ")";
      } else if (count > length) {
        wrong = "Too many bytes in request body. Expected: " + length + ", got: " + count;
      }
      if (wrong != null) {
        IOException failure = new IOException(wrong);
        miscounted = failure;
        throw failure;
      }
      return read;
    }
  }
}
