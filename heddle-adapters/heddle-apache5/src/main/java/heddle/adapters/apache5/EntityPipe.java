package heddle.adapters.apache5;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A pipe from a writing to a reading thread with a bounded buffer. */
final class EntityPipe {
  private static final int BYTES = 64 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  // All guarded by the lock.
  private final byte[] buffer = new byte[BYTES];
  private int start;
  private int count;
  private boolean ended;
  private boolean abandoned;
  private @Nullable Throwable failure;

  final InputStream source = new Source();
  final OutputStream sink = new Sink();

  /** Ends the writing, successfully or with a failure. */
  void end(@Nullable Throwable because) {
    lock.lock();
    try {
      ended = true;
      failure = because;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether the reader has closed its end. */
  boolean isAbandoned() {
    lock.lock();
    try {
      return abandoned;
    } finally {
      lock.unlock();
    }
  }

  private final class Source extends InputStream {
    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      if (size == 0) {
        return 0;
      }
      lock.lock();
      try {
        await(() -> count > 0 || ended, "reading");
        if (failure != null) {
          throw new IOException("the request's entity could not be written", failure);
        }
        return count == 0 ? -1 : take(target, offset, size);
      } finally {
        lock.unlock();
      }
    }

    private int take(byte[] target, int offset, int size) {
      int taken = Math.min(Math.min(size, count), BYTES - start);
      System.arraycopy(buffer, start, target, offset, taken);
      start = (start + taken) % BYTES;
      count -= taken;
      changed.signalAll();
      return taken;
    }

    @Override
    public void close() {
      lock.lock();
      try {
        abandoned = true;
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  private final class Sink extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] source, int offset, int size) throws IOException {
      lock.lock();
      try {
        int at = offset;
        int left = size;
        while (left > 0) {
          await(() -> count < BYTES || abandoned, "writing");
          if (abandoned) {
            throw new IOException("the request's entity is no longer read");
          }
          int end = (start + count) % BYTES;
          int put = Math.min(left, Math.min(BYTES - count, BYTES - end));
          System.arraycopy(source, at, buffer, end, put);
          count += put;
          at += put;
          left -= put;
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits for the condition. The caller holds the lock. */
  private void await(BooleanSupplier ready, String what) throws IOException {
    try {
      while (!ready.getAsBoolean()) {
        changed.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + what + " an entity");
    }
  }
}
