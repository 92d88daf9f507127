package heddle.verify.torture;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets handlers sleep, and wakes them even without memory. {@link Thread#sleep(Duration)} does not:
 * without memory the JDK can lose the wake-up of a virtual thread that waits with a time limit, and
 * the thread then sleeps until it is interrupted. So a platform thread keeps the time here.
 */
final class Sleepers {
  private static final Duration PERIOD = Duration.ofMillis(5);

  private static final Set<Thread> ASLEEP = ConcurrentHashMap.newKeySet();

  private Sleepers() {}

  static void start() {
    Thread.ofPlatform().daemon().name("torture-sleepers").start(Sleepers::wakeAll);
  }

  static void sleep(Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    Thread current = Thread.currentThread();
    ASLEEP.add(current);
    try {
      while (System.nanoTime() - end < 0) {
        LockSupport.park(ASLEEP);
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    } finally {
      ASLEEP.remove(current);
    }
  }

  private static void wakeAll() {
    while (true) {
      try {
        LockSupport.parkNanos(PERIOD.toNanos());
        ASLEEP.forEach(LockSupport::unpark);
      } catch (OutOfMemoryError e) {
        // They are woken in the next period.
      }
    }
  }
}
