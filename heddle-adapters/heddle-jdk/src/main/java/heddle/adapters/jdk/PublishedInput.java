package heddle.adapters.jdk;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a publisher publishes; one read takes all that has arrived. A request for more may
 * block in the publisher, as in the JDK's publishers of streams, while earlier content must be
 * sent. So a virtual thread makes the requests, and ends when there is no demand. For one reading
 * thread; any thread may close it.
 */
final class PublishedInput extends InputStream {
  /** The number of buffers requested ahead of reading. */
  private static final int AHEAD = 4;

  /** The limit of unrequested buffers. The JDK's client accepts them too. */
  private static final int MOST_ARRIVED = 256;

  private final boolean blocks;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
  private Flow.@Nullable Subscription subscription;
  private boolean ended;
  private boolean closed;
  private @Nullable Throwable failure;
  private long wanted;
  private @Nullable Thread asking;

  // Used by the reading thread.
  private ByteBuffer current = ByteBuffer.allocate(0);
  private int taken;

  private PublishedInput(boolean blocks) {
    this.blocks = blocks;
  }

  /**
   * Subscribes to a publisher. Throws what its {@code subscribe} throws.
   *
   * @param blocks whether requesting more from it may block
   */
  static PublishedInput of(BodyPublisher publisher, boolean blocks) {
    PublishedInput input = new PublishedInput(blocks);
    publisher.subscribe(input.new Receiver());
    return input;
  }

  /** What the publisher has failed with; null if it has not failed. */
  @Nullable
  Throwable failure() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  // ---- reading

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int size) throws IOException {
    Objects.checkFromIndexSize(offset, size, target.length);
    int read = 0;
    while (read < size && fill(read == 0)) {
      int count = Math.min(size - read, current.remaining());
      current.get(target, offset + read, count);
      read += count;
    }
    askForMore();
    return read == 0 && size > 0 ? -1 : read;
  }

  /** Whether there is a byte to read; false at the end, or if none has arrived yet. */
  private boolean fill(boolean waits) throws IOException {
    while (!current.hasRemaining()) {
      ByteBuffer next = poll();
      if (next == null && waits) {
        askForMore();
        next = await();
      }
      if (next == null) {
        return false;
      }
      current = next;
      taken++;
    }
    return true;
  }

  private @Nullable ByteBuffer poll() {
    lock.lock();
    try {
      return arrived.poll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next buffer; null at the end. */
  private @Nullable ByteBuffer await() throws IOException {
    lock.lock();
    try {
      while (arrived.isEmpty() && !ended) {
        changed.await();
      }
      if (closed) {
        throw new IOException("the content is no longer read");
      }
      if (arrived.isEmpty() && failure != null) {
        throw new IOException("the publisher of the content failed: " + failure, failure);
      }
      return arrived.poll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while waiting for the content's publisher");
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      lock.unlock();
    }
  }

  /** Cancels the subscription unless the publisher has completed. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
    finish(null, true);
  }

  // ---- requesting

  /** Requests as many buffers as were taken. */
  private void askForMore() {
    if (taken > 0) {
      int count = taken;
      taken = 0;
      ask(count);
    }
  }

  private void ask(int count) {
    lock.lock();
    try {
      wanted += count;
      if (asking != null || ended) {
        return;
      }
      asking = blocks
          ? Thread.ofVirtual().name("heddle-jdk-publisher").unstarted(this::askAll)
          : Thread.currentThread();
      if (blocks) {
        asking.start();
        return;
      }
    } finally {
      lock.unlock();
    }
    askAll();
  }

  /** Repeats until there is no demand, as a publisher may publish within the request. */
  private void askAll() {
    for (long count = nextWanted(); count > 0; count = nextWanted()) {
      Flow.Subscription from = subscription();
      try {
        if (from != null) {
          from.request(count);
        }
      } catch (RuntimeException | Error e) {
        finish(e, true);
      }
    }
  }

  private long nextWanted() {
    lock.lock();
    try {
      long count = ended ? 0 : wanted;
      wanted = 0;
      if (count == 0) {
        asking = null;
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  private Flow.@Nullable Subscription subscription() {
    lock.lock();
    try {
      return subscription;
    } finally {
      lock.unlock();
    }
  }

  // ---- the end

  /**
   * Ends the content.
   *
   * @param because null if the content is complete
   * @param gives whether to discard buffered content and cancel the subscription
   */
  private void finish(@Nullable Throwable because, boolean gives) {
    Flow.Subscription left = null;
    lock.lock();
    try {
      if (gives) {
        arrived.clear();
      }
      if (!ended) {
        ended = true;
        failure = because;
        left = gives ? subscription : null;
        changed.signalAll();
      }
      if (gives && blocks && asking != null && asking != Thread.currentThread()) {
        asking.interrupt();
      }
    } finally {
      lock.unlock();
    }
    if (left != null) {
      left.cancel();
    }
  }

  private final class Receiver implements Flow.Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(Flow.Subscription given) {
      Objects.requireNonNull(given, "subscription");
      boolean first;
      lock.lock();
      try {
        first = subscription == null && !ended;
        if (first) {
          subscription = given;
        }
      } finally {
        lock.unlock();
      }
      if (first) {
        ask(AHEAD);
      } else {
        given.cancel();
      }
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      Objects.requireNonNull(buffer, "buffer");
      boolean tooMany;
      lock.lock();
      try {
        tooMany = arrived.size() >= MOST_ARRIVED;
        if (!ended && !tooMany) {
          arrived.add(buffer);
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
      if (tooMany) {
        finish(
            new IOException("the content's publisher published " + MOST_ARRIVED
                + " buffers or more that were not requested"),
            true);
      }
    }

    @Override
    public void onError(Throwable thrown) {
      finish(Objects.requireNonNull(thrown, "thrown"), false);
    }

    @Override
    public void onComplete() {
      finish(null, false);
    }
  }
}
