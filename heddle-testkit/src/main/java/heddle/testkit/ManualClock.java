package heddle.testkit;

import heddle.transport.time.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that only {@link #advance} moves. Begins at zero; safe for use by any thread. */
public final class ManualClock implements Clock {
  private final AtomicLong now = new AtomicLong();

  /** A clock at zero. */
  public ManualClock() {}

  @Override
  public long nanoTime() {
    return now.get();
  }

  /**
   * Moves the clock forward.
   *
   * @throws IllegalArgumentException if {@code time} is negative: time never goes back
   */
  public void advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("a clock never goes back, not even by " + time);
    }
    now.addAndGet(time.toNanos());
  }

  void advanceTo(long nanos) {
    now.accumulateAndGet(nanos, Math::max);
  }
}
