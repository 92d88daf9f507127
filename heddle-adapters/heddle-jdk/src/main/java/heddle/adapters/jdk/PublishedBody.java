package heddle.adapters.jdk;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request as its publisher publishes it, which is subscribed to each time that the
 * content is sent: the JDK's publishers can be, and its own client does so too.
 */
final class PublishedBody extends Body {
  /** Content of at most so many bytes is taken at once, so that it leaves with its head. */
  private static final int MOST_AT_ONCE_BYTES = 64 * 1024;

  /** The JDK's publishers that hold all of their content; any other is read while it is sent. */
  private static final Set<String> OF_MEMORY = Set.of(
      "jdk.internal.net.http.RequestPublishers$ByteArrayPublisher",
      "jdk.internal.net.http.RequestPublishers$StringPublisher");

  private final BodyPublisher publisher;
  private final long length;
  private volatile @Nullable Throwable failure;

  private PublishedBody(BodyPublisher publisher, long length) {
    this.publisher = publisher;
    this.length = length;
  }

  /** The content of a publisher; null for a request without one. */
  static Body of(@Nullable BodyPublisher publisher) {
    long length = publisher == null ? 0 : publisher.contentLength();
    if (publisher == null || length == 0) {
      return Body.empty();
    }
    if (length > 0
        && length <= MOST_AT_ONCE_BYTES
        && OF_MEMORY.contains(publisher.getClass().getName())) {
      byte[] bytes = new Taking((int) length).from(publisher);
      if (bytes != null) {
        return Body.of(bytes);
      }
    }
    return new PublishedBody(publisher, length < 0 ? UNKNOWN : length);
  }

  /** What the publisher has failed with; null where it has not. */
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
    return true;
  }

  @Override
  public InputStream stream() throws IOException {
    return Body.of((Flow.Publisher<ByteBuffer>) this::subscribe, length).stream();
  }

  private void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    try {
      publisher.subscribe(new Watching(subscriber));
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  /** Remembers what the publisher fails with, which is what the call is to fail with. */
  private final class Watching implements Flow.Subscriber<ByteBuffer> {
    private final Flow.Subscriber<? super ByteBuffer> to;

    Watching(Flow.Subscriber<? super ByteBuffer> to) {
      this.to = to;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      to.onSubscribe(subscription);
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      to.onNext(buffer);
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      to.onError(thrown);
    }

    @Override
    public void onComplete() {
      to.onComplete();
    }
  }

  /** Takes what a publisher publishes while it is subscribed to. */
  private static final class Taking implements Flow.Subscriber<ByteBuffer> {
    private final ByteBuffer taken;
    private boolean fits = true;
    private boolean complete;

    Taking(int length) {
      this.taken = ByteBuffer.allocate(length);
    }

    /** All of it; null where it is not all there, or not of the announced length. */
    byte @Nullable [] from(BodyPublisher publisher) {
      publisher.subscribe(this);
      return complete && fits && !taken.hasRemaining() ? taken.array() : null;
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
    public void onError(Throwable thrown) {
      fits = false;
    }

    @Override
    public void onComplete() {
      complete = true;
    }
  }
}
