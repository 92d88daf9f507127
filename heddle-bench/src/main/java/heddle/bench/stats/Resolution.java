package heddle.bench.stats;

/**
 * The smallest difference that a machine can resolve: the baseline raced against itself should not
 * differ, so that any difference is noise.
 *
 * @param factor ratios from 1/factor to factor are no difference; at least 1
 */
public record Resolution(double factor) {

  /** Throws {@link IllegalArgumentException} if the factor is out of range. */
  public Resolution {
    if (!(factor >= 1 && Double.isFinite(factor))) {
      throw new IllegalArgumentException("a resolution is a factor of 1 or more, not " + factor);
    }
  }

  /**
   * The resolution that a control shows.
   *
   * @param control the ratio of the baseline to itself, above 0
   */
  public static Resolution of(Estimate control) {
    Interval interval = control.interval();
    return new Resolution(Math.max(1, Math.max(interval.high(), 1 / interval.low())));
  }

  /** The coarser of the two. */
  public Resolution or(Resolution other) {
    return factor >= other.factor ? this : other;
  }

  /** The smallest visible difference: 0.05 is 5%. */
  public double share() {
    return factor - 1;
  }
}
