package heddle.connection;

import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;

/**
 * How fast a peer must send or read. Only the time in which the peer is waited for counts.
 *
 * @param bytesPerSecond 0 for no limit
 * @param grace how long the peer may be waited for before the rate counts
 */
public record MinimumRate(int bytesPerSecond, Duration grace) {
  /** No limit. */
  public static final MinimumRate OFF = new MinimumRate(0, Duration.ZERO);

  /**
   * A peer that was fast is ahead of the rate by no more than this, or by the grace. That covers
   * what the buffers between the two sides take and release at once.
   */
  private static final long MOST_LEAD_NANOS = Duration.ofSeconds(60).toNanos();

  /**
   * @throws IllegalArgumentException if one is negative, or there is a rate without grace
   */
  public MinimumRate {
    if (bytesPerSecond < 0) {
      throw new IllegalArgumentException(
          "a minimum rate must be at least 0 bytes/s, but was " + bytesPerSecond);
    }
    if (grace.isNegative() || (bytesPerSecond > 0 && grace.isZero())) {
      throw new IllegalArgumentException(
          "the grace of a minimum rate must be positive, but was " + grace);
    }
  }

  /** Whether there is a limit. */
  public boolean isOn() {
    return bytesPerSecond > 0;
  }

  /** The grace; {@link Deadline#NEVER_NANOS} if there is no limit. */
  public long graceNanos() {
    return isOn() ? Deadline.boundedNanos(grace) : Deadline.NEVER_NANOS;
  }

  @Override
  public String toString() {
    return bytesPerSecond + " bytes/s after " + grace;
  }

  /** The content of a response arrives more slowly than required. */
  public static final class TooSlowException extends IOException {
    private static final long serialVersionUID = 1L;

    public TooSlowException(MinimumRate rate) {
      super("the content of the response came more slowly than " + rate);
    }
  }

  /**
   * How far one peer is ahead of a rate: bytes add to its lead, and time takes from it. Updated
   * from time to time, not for each byte. For use by one thread at a time.
   */
  public static final class Progress {
    private final boolean on;
    private final double nanosPerByte;
    private final long mostLead;

    private long lead;
    private long lookedAt;
    private long known;
    private boolean wasOurs;

    /** Begins now, with the grace as its lead. The caller chooses the time scale. */
    public Progress(MinimumRate rate, long nowNanos) {
      this.on = rate.isOn();
      this.nanosPerByte = on ? 1e9 / rate.bytesPerSecond() : 0;
      this.lead = Deadline.boundedNanos(rate.grace());
      this.mostLead = Math.max(lead, MOST_LEAD_NANOS);
      this.lookedAt = nowNanos;
    }

    /** Does not count the time since the last update: we did not wait for the peer. */
    public void skip(long nowNanos) {
      lookedAt = nowNanos;
    }

    /** Takes the time into account, and how many bytes have moved in all. */
    public void look(long nowNanos, long moved) {
      long gained = (long) ((moved - known) * nanosPerByte);
      lead = Math.min(mostLead, lead + gained - (nowNanos - lookedAt));
      known = moved;
      lookedAt = nowNanos;
    }

    /**
     * As {@link #look(long, long)}, but if our side has kept the peer waiting, the time until the
     * next update does not count either, as our side may still do so.
     *
     * @param ours whether our side has kept the peer waiting since the last update
     */
    public void look(long nowNanos, long moved, boolean ours) {
      if (ours || wasOurs) {
        skip(nowNanos);
      }
      wasOurs = ours;
      look(nowNanos, moved);
    }

    /** Whether the peer was behind the rate at the last update. */
    public boolean isTooSlow() {
      return on && lead <= 0;
    }

    /** When to update again: until then the peer is not too slow. */
    public long dueAt() {
      return on ? lookedAt + Math.max(0, lead) : Deadline.NEVER_NANOS;
    }

    /** How far ahead the peer was at the last update; never negative. */
    public long leadNanos() {
      return on ? Math.max(0, lead) : Deadline.NEVER_NANOS;
    }
  }
}
