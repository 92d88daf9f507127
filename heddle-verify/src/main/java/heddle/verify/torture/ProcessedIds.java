package heddle.verify.torture;

import java.util.BitSet;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What a server has processed: each POST that must not be processed twice carries a number that no
 * other has. Safe for use by many threads.
 */
final class ProcessedIds {
  private final ReentrantLock lock = new ReentrantLock();

  /** Guarded by lock, as is what follows. */
  private final BitSet seen = new BitSet(1 << 16);

  private int repeated;

  void add(int id) {
    lock.lock();
    try {
      if (seen.get(id)) {
        repeated++;
      }
      seen.set(id);
    } finally {
      lock.unlock();
    }
  }

  /** How many requests were processed again. */
  int repeated() {
    lock.lock();
    try {
      return repeated;
    } finally {
      lock.unlock();
    }
  }
}
