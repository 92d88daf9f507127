package heddle.bench.routes;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Holds callers until a given number of them has arrived. Safe for use by many threads. */
final class Gathering {

  private static final class Group {

    /** Opens when all have arrived; awaited without the lock, so that all continue at once. */
    private final CountDownLatch full = new CountDownLatch(1);

    /** Guarded by the gathering's lock. */
    private int present;
  }

  private final ReentrantLock lock = new ReentrantLock();

  /** Groups that are not full, by their size; guarded by the lock. */
  private final Map<Integer, Group> groups = new HashMap<>();

  /**
   * Returns when {@code size} callers have arrived, this one included, or after {@code maxMillis}.
   *
   * @throws InterruptedException if the caller is interrupted; it then no longer counts
   */
  void await(int size, long maxMillis) throws InterruptedException {
    Group group = enter(size);
    boolean isFull = false;
    try {
      isFull = group.full.await(maxMillis, TimeUnit.MILLISECONDS);
    } finally {
      if (!isFull) {
        leave(size, group);
      }
    }
  }

  private Group enter(int size) {
    lock.lock();
    try {
      Group group = groups.computeIfAbsent(size, _ -> new Group());
      group.present++;
      if (group.present == size) {
        groups.remove(size);
        group.full.countDown();
      }
      return group;
    } finally {
      lock.unlock();
    }
  }

  private void leave(int size, Group group) {
    lock.lock();
    try {
      group.present--;
      if (group.present == 0) {
        groups.remove(size, group);
      }
    } finally {
      lock.unlock();
    }
  }
}
