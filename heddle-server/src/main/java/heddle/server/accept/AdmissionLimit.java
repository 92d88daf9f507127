package heddle.server.accept;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the entries that are inside and admits no more than a limit. Safe for use by many threads;
 * never blocks.
 */
public final class AdmissionLimit {
  private final int most;
  private final AtomicInteger inside = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();

  /** A limit of at least 1. */
  public AdmissionLimit(int most) {
    if (most < 1) {
      throw new IllegalArgumentException("the limit must be at least 1, but was " + most);
    }
    this.most = most;
  }

  /** Admits one more, for which {@link #leave} must be called later; false if there is no room. */
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

  /** Removes one that was admitted. */
  public void leave() {
    inside.decrementAndGet();
  }

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
