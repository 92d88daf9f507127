package heddle.load.schedule;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * How long a caller of a closed load waits between an answer and its next request.
 *
 * @param mean the pause, or its mean; not negative
 * @param exponential whether pauses are exponentially distributed, as a model of independent users
 * @param seed the seed of exponential pauses, so that they are the same in every run
 */
public record Think(Duration mean, boolean exponential, long seed) {

  /** No pause. */
  public static final Think NONE = constant(Duration.ZERO);

  /** Throws {@link IllegalArgumentException} if a value is out of range. */
  public Think {
    if (mean.isNegative()) {
      throw new IllegalArgumentException("the think time must not be negative: " + mean);
    }
  }

  /** The same pause each time. */
  public static Think constant(Duration pause) {
    return new Think(pause, false, 0);
  }

  /** Pauses with this mean. */
  public static Think exponential(Duration mean, long seed) {
    return new Think(mean, true, seed);
  }

  /** Whether there is never a pause. */
  public boolean isNone() {
    return mean.isZero();
  }

  /** The pauses of one caller. */
  public Pauses of(int caller) {
    return new Pauses(this, new SplittableRandom(seed + caller * 0x9E37_79B9_7F4A_7C15L));
  }

  /** A sequence of pauses. Used by one caller. */
  public static final class Pauses {
    private final Think think;
    private final SplittableRandom random;

    private Pauses(Think think, SplittableRandom random) {
      this.think = think;
      this.random = random;
    }

    /** The next pause. */
    public Duration next() {
      return think.exponential
          ? Duration.ofNanos(Math.round(Starts.exponential(random) * think.mean.toNanos()))
          : think.mean;
    }
  }
}
