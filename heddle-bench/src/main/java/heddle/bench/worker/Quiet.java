package heddle.bench.worker;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether the compilers are idle: they used almost no CPU time between the last checks. One check
 * is not enough, because a method is compiled only after it was run for a while. Used by one
 * thread.
 */
final class Quiet implements BooleanSupplier {

  /** The share of a core below which compilers no longer affect the figures. */
  private static final double MOST = 0.04;

  private static final int LOOKS = 2;

  private final LongSupplier busyNanos;
  private final LongSupplier clock;
  private long compiled;
  private long looked;
  private int quietLooks;

  /**
   * Starts watching.
   *
   * @param busyNanos how long the compilers have been busy so far
   * @param clock a clock such as {@link System#nanoTime}
   */
  Quiet(LongSupplier busyNanos, LongSupplier clock) {
    this.busyNanos = busyNanos;
    this.clock = clock;
    compiled = busyNanos.getAsLong();
    looked = clock.getAsLong();
  }

  /** Whether the compilers were idle since the last check, and between the two checks before. */
  @Override
  public boolean getAsBoolean() {
    long compiledNow = busyNanos.getAsLong();
    long now = clock.getAsLong();
    boolean isQuiet = compiledNow - compiled <= MOST * (now - looked);
    compiled = compiledNow;
    looked = now;
    quietLooks = isQuiet ? quietLooks + 1 : 0;
    return quietLooks >= LOOKS;
  }
}
