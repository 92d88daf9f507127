package heddle.bench.worker;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Whether the compilers have come to rest: they took next to nothing between the last looks. One
 * look is not enough, because a method is compiled only after it was run for a while. Used by one
 * thread.
 */
final class Quiet implements BooleanSupplier {

  /** Of a core: compilers that take less no longer change the figures. */
  private static final double MOST = 0.04;

  private static final int LOOKS = 2;

  private final LongSupplier busyNanos;
  private final LongSupplier clock;
  private long compiled;
  private long looked;
  private int quietLooks;

  /**
   * Begins to look now.
   *
   * @param busyNanos for how long the compilers have had something to do so far
   * @param clock such as {@link System#nanoTime}
   */
  Quiet(LongSupplier busyNanos, LongSupplier clock) {
    this.busyNanos = busyNanos;
    this.clock = clock;
    compiled = busyNanos.getAsLong();
    looked = clock.getAsLong();
  }

  /** Whether they took next to nothing since the last look, and between the two before. */
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
