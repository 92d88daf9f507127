package heddle.har;

import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of a content that is read, up to a limit, and its length so far. What it holds
 * grows with what was read. Thread-safe: one thread reads, and another may make the entry.
 */
final class Capture {
  private static final int FIRST = 512;

  private final int limit;
  private final ContentRoom room;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock. The bytes are null once there was no room for more.
  private byte @Nullable [] bytes = {};
  private int size;
  private long length;

  /**
   * A capture of nothing yet.
   *
   * @param limit the most bytes to hold
   */
  Capture(int limit, ContentRoom room) {
    this.limit = limit;
    this.room = room;
  }

  void add(byte[] source, int offset, int count) {
    lock.lock();
    try {
      length += count;
      int more = Math.min(count, limit - size);
      byte[] held = more > 0 ? withRoomFor(size + more) : null;
      if (held != null) {
        System.arraycopy(source, offset, held, size, more);
        size += more;
      }
    } finally {
      lock.unlock();
    }
  }

  /** What is held, in an array of at least this size; null if there is no room for that. */
  private byte @Nullable [] withRoomFor(int needed) {
    byte[] held = bytes;
    if (held == null || needed <= held.length) {
      return held;
    }
    int capacity = (int) Math.min(limit, Math.max(FIRST, Math.max(needed, 2L * held.length)));
    if (room.take(capacity - held.length)) {
      bytes = Arrays.copyOf(held, capacity);
      return bytes;
    }
    give(held);
    return null;
  }

  private void give(byte[] held) {
    room.giveBack(held.length);
    bytes = null;
    size = 0;
  }

  /** Forgets what was read, since it is read again from its beginning. */
  void restart() {
    lock.lock();
    try {
      size = 0;
      length = 0;
    } finally {
      lock.unlock();
    }
  }

  /** How many bytes were read. */
  long length() {
    lock.lock();
    try {
      return length;
    } finally {
      lock.unlock();
    }
  }

  /** A copy of what is held, at most the limit; null if there was no room for it. */
  byte @Nullable [] beginning() {
    lock.lock();
    try {
      byte[] held = bytes;
      return held == null ? null : Arrays.copyOf(held, size);
    } finally {
      lock.unlock();
    }
  }

  /** Frees the memory; what is read from now on is only counted. */
  void release() {
    lock.lock();
    try {
      byte[] held = bytes;
      if (held != null) {
        give(held);
      }
    } finally {
      lock.unlock();
    }
  }
}
