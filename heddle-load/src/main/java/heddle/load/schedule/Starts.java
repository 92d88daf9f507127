package heddle.load.schedule;

import java.util.OptionalLong;
import java.util.SplittableRandom;

/** The scheduled starts of the requests of an open load. Not thread-safe. */
public final class Starts {

  private final RateCurve curve;
  private final boolean poisson;
  private final SplittableRandom random;
  private long number;
  private double arrived;

  private Starts(RateCurve curve, boolean poisson, long seed) {
    this.curve = curve;
    this.poisson = poisson;
    this.random = new SplittableRandom(seed);
  }

  /** One start per whole request under the curve, the first at once. */
  public static Starts even(RateCurve curve) {
    return new Starts(curve, false, 0);
  }

  /**
   * A Poisson process with the curve as its intensity: arrivals of a process of rate 1, mapped to
   * the times at which the curve has reached them. The same seed gives the same starts.
   */
  public static Starts poisson(RateCurve curve, long seed) {
    return new Starts(curve, true, seed);
  }

  /** The next start in nanoseconds from the beginning; empty if the rate stays 0. */
  public OptionalLong next() {
    if (!poisson) {
      return curve.nanosUntil((double) number++);
    }
    arrived += exponential(random);
    return curve.nanosUntil(arrived);
  }

  /** A number of the exponential distribution with the mean 1. */
  static double exponential(SplittableRandom random) {
    return -Math.log(1 - random.nextDouble());
  }
}
