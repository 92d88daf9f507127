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
 * Reads what a publisher publishes, all that has arrived in one go. A publisher may block whoever
 * asks it for more, as those of the JDK do that read a stream, and what it has published before is
 * to be sent meanwhile: so it is asked by a virtual thread, which lives as long as there is
 * something to ask for. For one reading thread; closed by any.
 */
final class PublishedInput extends InputStream {
  /** How many buffers are asked for beyond those that were read. */
  private static final int AHEAD = 4;

  /** Those who publish more than they are asked for, as the JDK's client lets them, may so far. */
  private static final int MOST_ARRIVED = 256;

  private final boolean blocks;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by the lock.
  private final ArrayDeque<ByteBuffer> arrived = new ArrayDeque<>();
  private Flow.@Nullable Subscription subscription;
  private boolean ended;
  private boolean closed;
  private @Nullable Throwable failure;
  private long wanted;
  private @Nullable Thread asking;

  // The reader's.
  private ByteBuffer current = ByteBuffer.allocate(0);
  private int taken;

  private PublishedInput(boolean blocks) {
    this.blocks = blocks;
  }

  /**
   * Subscribes to a publisher; what that throws is thrown.
   *
   * @param blocks whether asking it for more may block
   */
  static PublishedInput of(BodyPublisher publisher, boolean blocks) {
    PublishedInput input = new PublishedInput(blocks);
    publisher.subscribe(input.new Receiver());
    return input;
  }

  /** What the publisher has failed with; null where it has not. */
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

  /** Whether there is a byte to read; false at the end, or where none has arrived yet. */
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

  /** The next buffer, null at the end. */
  private @Nullable ByteBuffer await() throws IOException {
    lock.lock();
    try {
      while (arrived.isEmpty() && !ended) {
        changed.await();
      }
      if (closed) {
        throw new IOException("the content is not wanted any more");
      }
      if (arrived.isEmpty() && failure != null) {
        throw new IOException("the publisher of the content failed: " + failure, failure);
      }
      return arrived.poll();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while the content's publisher was waited for");
      interrupted.initCause(e);
      throw interrupted;
    } finally {
      lock.unlock();
    }
  }

  /** Nobody wants more: the publisher is told, unless it has come to its end. */
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

  // ---- asking

  /** For as much as was taken. */
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

  /** Until there is nothing left to ask for: a publisher may publish while it is asked. */
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
   * Nothing more arrives.
   *
   * @param because null where all has arrived
   * @param gives up what is left, of which the publisher is told
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
                + " buffers and more that nobody had asked it for"),
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
