package heddle.transport;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Spare memory of a loop for the content that it hands to readers, so that large bodies make little
 * garbage: the loop takes a chunk to copy into, and the reader gives it back when it has read it.
 * Chunks have 16 or 64 KiB. It holds two mebibytes at most: what does not fit is left to the
 * garbage collector, as is a chunk that is never given back.
 *
 * <p>Safe for use by many threads. A chunk has one owner at a time: after giving it back, its owner
 * must not use it again. Its old content is not erased.
 */
public final class ChunkPool {
  /** The size of the larger chunks: more content than that is better cut in pieces. */
  public static final int LARGE_BYTES = 64 * 1024;

  /** The size of the smaller chunks. */
  public static final int SMALL_BYTES = 16 * 1024;

  /** Smaller chunks are as cheap to make as to keep. */
  private static final int LEAST_BYTES = 8 * 1024;

  private static final int MOST_BYTES = 2 * 1024 * 1024;

  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock: the spare chunks, and how many bytes they hold together.
  private final ArrayDeque<byte[]> small = new ArrayDeque<>(0);
  private final ArrayDeque<byte[]> large = new ArrayDeque<>(0);
  private int bytes;

  /** A pool that holds nothing yet. */
  public ChunkPool() {}

  /** A chunk of the next size, or of this size if that is too small or too large for the pool. */
  public byte[] take(int size) {
    if (size < LEAST_BYTES || size > LARGE_BYTES) {
      return new byte[size];
    }
    int rounded = size <= SMALL_BYTES ? SMALL_BYTES : LARGE_BYTES;
    lock.lock();
    try {
      byte[] kept = spare(rounded).pollLast();
      if (kept != null) {
        bytes -= rounded;
        return kept;
      }
    } finally {
      lock.unlock();
    }
    return new byte[rounded];
  }

  private ArrayDeque<byte[]> spare(int size) {
    return size == SMALL_BYTES ? small : large;
  }

  /** Gives a chunk back that is no longer used. */
  public void give(byte[] chunk) {
    int size = chunk.length;
    if (size != SMALL_BYTES && size != LARGE_BYTES) {
      return;
    }
    lock.lock();
    try {
      if (bytes + size <= MOST_BYTES) {
        spare(size).addLast(chunk);
        bytes += size;
      }
    } finally {
      lock.unlock();
    }
  }
}
