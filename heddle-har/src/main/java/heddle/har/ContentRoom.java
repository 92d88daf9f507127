package heddle.har;

import java.util.concurrent.atomic.AtomicLong;

/** How many bytes of contents may be held in memory at once, by all calls. Thread-safe. */
final class ContentRoom {
  private final AtomicLong free;

  ContentRoom(long bytes) {
    free = new AtomicLong(bytes);
  }

  /** Takes this much, if there is as much. */
  boolean take(long bytes) {
    if (free.addAndGet(-bytes) >= 0) {
      return true;
    }
    free.addAndGet(bytes);
    return false;
  }

  void giveBack(long bytes) {
    free.addAndGet(bytes);
  }
}
