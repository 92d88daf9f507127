package heddle.testwatch;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for what another thread brings about. */
public final class Conditions {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Conditions() {}

  /**
   * Returns once the condition holds.
   *
   * @throws AssertionError if it does not within 20 s; says what was awaited
   */
  public static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
