package heddle.resilience;

/**
 * A token bucket whose tokens are reserved in advance, in the order in which they are asked for.
 * Times are in nanoseconds, those of a reservation on a scale that stands still while the bucket is
 * paused. Not thread-safe.
 */
final class TokenBucket {
  private final long interval;
  private final int burst;

  /** When the bucket will be full if nothing more is reserved; on the scale of reservations. */
  private long full;

  /** How long the bucket was paused in all, up to the end of the present pause. */
  private long pauses;

  private long pausedUntil;

  /** How many callers wait for their reservations. */
  private int waiting;

  /**
   * A full bucket.
   *
   * @param interval after which there is another token
   * @param burst how many tokens the bucket holds
   * @param now not negative
   */
  TokenBucket(long interval, int burst, long now) {
    this.interval = interval;
    this.burst = burst;
    this.full = now;
    this.pausedUntil = now;
  }

  /** How long a caller that asks now would wait for a token; 0 if there is one. */
  long waitNanos(long now) {
    return waitNanos(slot(now), now);
  }

  /** How much longer the holder of a reservation waits. */
  long waitNanos(long reserved, long now) {
    return Math.max(0, reserved + pauses - now);
  }

  /** Reserves the next token; returns when it may be used, on the scale of reservations. */
  long reserve(long now) {
    long slot = slot(now);
    full = Math.max(full, present(now)) + interval;
    return slot;
  }

  private long slot(long now) {
    long present = present(now);
    return Math.max(present, Math.max(full, present) + interval - burst * interval);
  }

  /** Now, or the end of the present pause; on the scale of reservations. */
  private long present(long now) {
    return Math.max(now, pausedUntil) - pauses;
  }

  /** Gives a reservation back that was not used. It is lost if there are later ones. */
  void giveBack(long reserved) {
    if (reserved == full - burst * interval) {
      full -= interval;
    }
  }

  /** Issues no tokens until this time, and delays reserved tokens by the length of the pause. */
  void pauseUntil(long time, long now) {
    long from = Math.max(now, pausedUntil);
    if (time > from) {
      pauses += time - from;
      pausedUntil = time;
    }
  }

  int waiting() {
    return waiting;
  }

  void addWaiting(int callers) {
    waiting += callers;
  }

  /** Whether the bucket is full and not paused, and no caller waits for it. */
  boolean isFull(long now) {
    return waiting == 0 && now >= pausedUntil && full <= present(now);
  }
}
