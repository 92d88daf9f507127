package heddle.server.accept;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts what is inside and lets in no more than a bound. Safe for use by many threads; never
 * blocks.
 */
public final class AdmissionLimit {
  private final int most;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();

  /**
   * @param most how many may be inside at once
   * @throws IllegalArgumentException if less than 1
   */
  public AdmissionLimit(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("a limit of " + most + " lets nobody in: at least 1");
    }
    this.most = most;
  }

  /** Lets one more in, who is to {@link #leave} later; false when there is no room. */
  public boolean tryEnter() {
    int now = inside.incrementAndGet();
    if (now > most) {
      inside.decrementAndGet();
      return false;
    }
    if (now > peak.get()) {
      peak.accumulateAndGet(now, Math::max);
    }
    return true;
  }

  /** One who was let in has gone. */
  public void leave() {
    inside.decrementAndGet();
  }

  /** How many are inside. */
  public int inside() {
    return Math.min(inside.get(), most);
  }

  /** The most that were inside at once so far. */
  public int peak() {
    return peak.get();
  }

  public int most() {
    return most;
  }
}
