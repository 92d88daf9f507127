package heddle.verify.torture;

import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Records when the machine stood still: a thread that only sleeps notes each time that it slept
 * much longer than it asked for. What a call took more because of that is not the engine's fault.
 */
final class Stalls implements AutoCloseable {
  private static final long SLEEP_MILLIS = 2;
  private static final long TOLERATED_NANOS = 3_000_000;

  private record Stall(long from, long to) {}

  private final ConcurrentLinkedQueue<Stall> stalls = new ConcurrentLinkedQueue<>();
  private final Thread sleeper;

  Stalls() {
    sleeper = Thread.ofPlatform().daemon().name("torture-stalls").start(this::watch);
  }

  private void watch() {
    try {
      while (true) {
        long before = System.nanoTime();
        Thread.sleep(SLEEP_MILLIS);
        long due = before + SLEEP_MILLIS * 1_000_000;
        long now = System.nanoTime();
        if (now - due > TOLERATED_NANOS) {
          stalls.add(new Stall(due, now));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How many nanoseconds of the time between the two moments the machine stood still. */
  long nanosWithin(long from, long to) {
    long sum = 0;
    for (Stall stall : stalls) {
      sum += Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from));
    }
    return sum;
  }

  @Override
  public void close() {
    sleeper.interrupt();
  }
}
