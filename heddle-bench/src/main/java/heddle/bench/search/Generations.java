package heddle.bench.search;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/** The documents of one index; a refresh makes those searchable that were indexed before it. */
final class Generations {

  private final ReentrantLock lock = new ReentrantLock();

  /** The version of each document, by its id; guarded by the lock. */
  private final Map<String, Integer> versions = new HashMap<>();

  /** Opens with the next refresh; guarded by the lock. */
  private CountDownLatch next = new CountDownLatch(1);

  /** Guarded by the lock. */
  private long sequence;

  /** Guarded by the lock. */
  private int searchable;

  /**
   * The result of indexing a document.
   *
   * @param version 1 for a new one
   * @param sequence how many documents were indexed before it
   * @param searchable opens when the document can be found
   */
  record Indexed(int version, long sequence, CountDownLatch searchable) {}

  /** Indexes a document; only its id is kept. */
  Indexed index(String id) {
    lock.lock();
    try {
      return new Indexed(versions.merge(id, 1, Integer::sum), sequence++, next);
    } finally {
      lock.unlock();
    }
  }

  void refresh() {
    CountDownLatch waiting;
    lock.lock();
    try {
      waiting = next;
      next = new CountDownLatch(1);
      searchable = versions.size();
    } finally {
      lock.unlock();
    }
    waiting.countDown();
  }

  int searchable() {
    lock.lock();
    try {
      return searchable;
    } finally {
      lock.unlock();
    }
  }
}
