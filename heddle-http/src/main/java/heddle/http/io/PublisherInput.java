package heddle.http.io;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads the buffers of a publisher, blocking until they arrive; one read takes all that has
 * arrived. Requests at most {@value #AHEAD} buffers beyond those read. For one reading thread at a
 * time; closed from any.
 */
public final class PublisherInput extends BufferInput {
  static final int AHEAD = 4;

  /** The limit of buffers that a publisher may send unrequested. */
  private static final int MOST_ARRIVED = 256;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** What has arrived and is not yet being read. Guarded by {@link #lock}. */
  private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();

  /** Set once, before anything arrives. Guarded by {@link #lock}, but for the reader. */
  private volatile Flow.@Nullable Subscription subscription;

  // Whether nothing more arrives, and why if not by completion. Guarded by the lock.
  private boolean ended;
  private @Nullable IOException failure;

  /** How many buffers were taken since the last request. The reader's alone. */
  private int taken;

  private PublisherInput() {}

  /** Subscribes to {@code publisher}. */
  public static PublisherInput subscribe(Flow.Publisher<ByteBuffer> publisher) {
    PublisherInput input = new PublisherInput();
    publisher.subscribe(input.new Receiver());
    return input;
  }

  @Override
  public int read() throws IOException {
    int octet = super.read();
    requestTaken();
    return octet;
  }

  @Override
  public int read(byte[] dst, int off, int len) throws IOException {
    int n = super.read(dst, off, len);
    while (n > 0 && n < len && fill(false)) {
      n += super.read(dst, off + n, len - n);
    }
    requestTaken();
    return n;
  }

  @Override
  boolean fill() throws IOException {
    return fill(true);
  }

  /** Whether there is a byte to read; false at the end, or if none has arrived yet. */
  private boolean fill(boolean waits) throws IOException {
    while (!buffer.hasRemaining()) {
      ByteBuffer next = poll();
      if (next == null && waits) {
        requestTaken();
        next = take();
      }
      if (next == null) {
        return false;
      }
      buffer = next;
      taken++;
    }
    return true;
  }

  private void requestTaken() {
    if (taken > 0) {
      int count = taken;
      taken = 0;
      request(Objects.requireNonNull(subscription), count);
    }
  }

  /** Called without the lock: the request may call {@code onNext} on this very thread. */
  private void request(Flow.Subscription from, int count) {
    try {
      from.request(count);
    } catch (RuntimeException | Error e) {
      fail(e, true);
    }
  }

  private void fail(Throwable cause, boolean cancel) {
    finish(new IOException("the body's publisher failed: " + cause, cause), cancel);
  }

  private @Nullable ByteBuffer poll() {
    lock.lock();
    try {
      return arrived.poll();
    } finally {
      lock.unlock();
    }
  }

  /** The next buffer; null at the end. */
  private @Nullable ByteBuffer take() throws IOException {
    lock.lock();
    try {
      while (arrived.isEmpty()) {
        if (ended && failure == null) {
          return null;
        }
        if (failure != null) {
          // A new exception, so that its stack is the reader's.
          throw new IOException(failure.getMessage(), failure.getCause());
        }
        changed.await();
      }
      return arrived.poll();
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while waiting for the body's publisher");
    } finally {
      lock.unlock();
    }
  }

  /** Cancels the subscription, unless the publisher is done. Wakes a reader that waits. */
  @Override
  public void close() {
    finish(new IOException("the body is closed"), true);
  }

  /** Ends reading for this reason if nothing has ended it before. */
  private void finish(@Nullable IOException reason, boolean cancel) {
    Flow.Subscription cancelled = null;
    lock.lock();
    try {
      if (cancel) {
        arrived.clear();
      }
      if (!ended) {
        ended = true;
        failure = reason;
        cancelled = cancel ? subscription : null;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
    if (cancelled != null) {
      cancelled.cancel();
    }
  }

  private final class Receiver implements Flow.Subscriber<ByteBuffer> {
    @Override
    public void onSubscribe(Flow.Subscription given) {
      Objects.requireNonNull(given);
      boolean wanted;
      lock.lock();
      try {
        wanted = subscription == null && !ended;
        if (wanted) {
          subscription = given;
        }
      } finally {
        lock.unlock();
      }
      if (wanted) {
        request(given, AHEAD);
      } else {
        given.cancel();
      }
    }

    @Override
    public void onNext(ByteBuffer buffer) {
      Objects.requireNonNull(buffer);
      boolean tooMany;
      lock.lock();
      try {
        tooMany = subscription == null || arrived.size() >= MOST_ARRIVED;
        if (!ended && !tooMany) {
          arrived.add(buffer);
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
      if (tooMany) {
        String message = "the body's publisher sent " + MOST_ARRIVED
            + " buffers or more that were not requested: it must send no more than requested";
        finish(new IOException(message), true);
      }
    }

    @Override
    public void onError(Throwable cause) {
      fail(Objects.requireNonNull(cause), false);
    }

    @Override
    public void onComplete() {
      finish(null, false);
    }
  }
}
