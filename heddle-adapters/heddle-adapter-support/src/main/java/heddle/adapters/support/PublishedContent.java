package heddle.adapters.support;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request from a publisher that is subscribed to each time the content is sent.
 * Reports what the publisher has failed with. A request for more may block in the publisher, while
 * earlier content must be sent; then a virtual thread makes the requests, which ends when there is
 * no demand. Content that is sent once, by a publisher that does not block, needs only {@link
 * Body#of(Flow.Publisher, long)}.
 */
public final class PublishedContent extends Body {
  private final Flow.Publisher<? extends ByteBuffer> publisher;
  private final long length;
  private final boolean blocks;

  private volatile @Nullable Throwable failure;

  /**
   * @param length in bytes, or {@link Body#UNKNOWN}
   * @param blocks whether requesting more from the publisher may block
   */
  public PublishedContent(
      Flow.Publisher<? extends ByteBuffer> publisher, long length, boolean blocks) {
    this.publisher = publisher;
    this.length = length;
    this.blocks = blocks;
  }

  /**
   * What the publisher has signalled or thrown in the latest attempt to send the content; null if
   * it has not failed.
   */
  public @Nullable Throwable failure() {
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

  /** Subscribes to the publisher. Throws what its {@code subscribe} throws. */
  @Override
  public InputStream stream() throws IOException {
    failure = null;
    try {
      return Body.of(this::subscribe, length).stream();
    } catch (RuntimeException | Error e) {
      failure = e;
      throw e;
    }
  }

  private void subscribe(Flow.Subscriber<? super ByteBuffer> reader) {
    publisher.subscribe(new Receiver(reader));
  }

  /** Passes signals to the reader, and requests to the publisher. */
  private final class Receiver implements Flow.Subscriber<ByteBuffer>, Flow.Subscription {
    private final Flow.Subscriber<? super ByteBuffer> reader;
    private final ReentrantLock lock = new ReentrantLock();

    private volatile Flow.@Nullable Subscription subscription;

    // Guarded by the lock.
    private long wanted;
    private boolean over;
    private @Nullable Thread asking;

    Receiver(Flow.Subscriber<? super ByteBuffer> reader) {
      this.reader = reader;
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
      if (subscription == null) { // Publishers signal one after the other.
        subscription = given;
        reader.onSubscribe(this);
      } else {
        given.cancel();
      }
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      reader.onNext(buffer);
    }

    @Override
    public void onError(Throwable thrown) {
      failure = thrown;
      reader.onError(thrown);
    }

    @Override
    public void onComplete() {
      reader.onComplete();
    }

    @Override
    public void request(long count) {
      lock.lock();
      try {
        wanted += count;
        if (asking != null || over) {
          return;
        }
        asking = blocks
            ? Thread.ofVirtual().name("heddle-publisher").unstarted(this::ask)
            : Thread.currentThread();
        if (blocks) {
          asking.start();
          return;
        }
      } finally {
        lock.unlock();
      }
      ask();
    }

    /** Repeats until there is no demand, as a publisher may publish within the request. */
    private void ask() {
      for (long count = takeWanted(); count > 0; count = takeWanted()) {
        Flow.Subscription from = subscription;
        try {
          if (from != null) {
            from.request(count);
          }
        } catch (RuntimeException | Error e) {
          cancel();
          onError(e);
        }
      }
    }

    private long takeWanted() {
      lock.lock();
      try {
        long count = over ? 0 : wanted;
        wanted = 0;
        if (count == 0) {
          asking = null;
        }
        return count;
      } finally {
        lock.unlock();
      }
    }

    /** Cancels the subscription, and interrupts a request that blocks. */
    @Override
    public void cancel() {
      lock.lock();
      try {
        over = true;
        if (blocks && asking != null && asking != Thread.currentThread()) {
          asking.interrupt();
        }
      } finally {
        lock.unlock();
      }
      Flow.Subscription left = subscription;
      if (left != null) {
        left.cancel();
      }
    }
  }
}
