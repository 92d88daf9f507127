package heddle.adapters.support;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A pipe from a writing to a reading thread, with a buffer of 64 KiB. When either end stops, the
 * other stops too. An interrupt ends the waiting of either.
 */
final class ContentPipe {
  private static final int CAPACITY = 64 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // Guarded by the lock.
  private final byte[] ring = new byte[CAPACITY];
  private int start;
  private int count;
  private boolean ended;
  private boolean readerGone;
  private boolean refused;
  private @Nullable Throwable failure;

  private final InputStream input = new Reading();

  /** The reading end; closing it fails later writes. */
  InputStream input() {
    return input;
  }

  /**
   * Writes all bytes, waiting for the reader to make room.
   *
   * @throws IOException if the reader has closed its end
   * @throws InterruptedIOException if the thread is interrupted; its flag is set again
   */
  void write(byte[] source, int offset, int size) throws IOException {
    Objects.checkFromIndexSize(offset, size, source.length);
    lock.lock();
    try {
      int written = 0;
      while (written < size) {
        awaitWhile(() -> count == CAPACITY && !readerGone);
        if (readerGone) {
          refused = true;
          throw new IOException("the request's content is no longer read: the call is over");
        }
        int end = (start + count) % CAPACITY;
        int room = Math.min(CAPACITY - count, CAPACITY - end);
        int now = Math.min(room, size - written);
        System.arraycopy(source, offset + written, ring, end, now);
        count += now;
        written += now;
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends the content. */
  void end() {
    lock.lock();
    try {
      ended = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Fails the reader, because writing has failed. */
  void fail(Throwable reason) {
    lock.lock();
    try {
      failure = reason;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Closes the reading end. */
  void readerGone() {
    lock.lock();
    try {
      readerGone = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether a write has failed because the reader has closed its end. */
  boolean hasRefused() {
    lock.lock();
    try {
      return refused;
    } finally {
      lock.unlock();
    }
  }

  /** Waits while the condition holds. The caller holds the lock. */
  private void awaitWhile(BooleanSupplier waiting) throws InterruptedIOException {
    try {
      while (waiting.getAsBoolean()) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted while the request's content was sent");
      interrupted.initCause(e);
      throw interrupted;
    }
  }

  private int take(byte[] target, int offset, int size) throws IOException {
    lock.lock();
    try {
      awaitWhile(() -> count == 0 && !ended && failure == null && !readerGone);
      if (failure != null) {
        throw new IOException("the request's content could not be written", failure);
      }
      if (count == 0) {
        return -1;
      }
      int taken = Math.min(Math.min(size, count), CAPACITY - start);
      System.arraycopy(ring, start, target, offset, taken);
      start = (start + taken) % CAPACITY;
      count -= taken;
      changed.signalAll();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  private final class Reading extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      Objects.checkFromIndexSize(offset, size, target.length);
      return size == 0 ? 0 : take(target, offset, size);
    }

    @Override
    public void close() {
      readerGone();
    }
  }
}
