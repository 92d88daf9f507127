package heddle.server;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for what another thread brings about. */
final class Conditions {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private Conditions() {}

  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
