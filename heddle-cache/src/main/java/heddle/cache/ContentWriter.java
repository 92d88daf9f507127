package heddle.cache;

import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Content that is stored while it is read. It belongs to no stored response before it is
 * {@linkplain #complete complete}. Thread-safe: a body may be closed while another thread reads it.
 */
abstract class ContentWriter {
  private final ReentrantLock lock = new ReentrantLock();
  private final long limit;

  // Guarded by the lock.
  private long length;
  private boolean over;

  /**
   * @param limit the most bytes, beyond which it is given up
   */
  ContentWriter(long limit) {
    this.limit = limit;
  }

  /** Adds bytes that were read; does nothing once it is given up, as it is if there is no room. */
  final void write(byte[] bytes, int offset, int count) throws IOException {
    lock.lock();
    try {
      if (over) {
        return;
      }
      boolean kept = false;
      try {
        length += count;
        kept = length <= limit && append(bytes, offset, count);
      } finally {
        if (!kept) {
          over = true;
          drop();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** All content was read. Returns null if it was given up; to be called once. */
  final @Nullable Content complete() throws IOException {
    lock.lock();
    try {
      if (over) {
        return null;
      }
      over = true;
      boolean done = false;
      try {
        Content content = finish();
        done = true;
        return content;
      } finally {
        if (!done) {
          drop();
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Gives it up, unless it is complete. */
  final void abandon() throws IOException {
    lock.lock();
    try {
      if (!over) {
        over = true;
        drop();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether there was room. */
  abstract boolean append(byte[] bytes, int offset, int count) throws IOException;

  /** The content, whose room no longer belongs to this writer. */
  abstract Content finish() throws IOException;

  /** Frees what it has taken. */
  abstract void drop() throws IOException;
}
