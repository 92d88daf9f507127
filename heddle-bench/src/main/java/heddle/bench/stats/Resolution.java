package heddle.bench.stats;

/**
 * What a machine can tell apart: the baseline raced against itself should differ by nothing, and
 * how far it does is noise.
 *
 * @param factor ratios from 1 over this to this are no difference; at least 1
 */
public record Resolution(double factor) {

  /** Checks the range; throws {@link IllegalArgumentException}. */
  public Resolution {
    if (!(factor >= 1 && Double.isFinite(factor))) {
      throw new IllegalArgumentException("a resolution is a factor of 1 or more, not " + factor);
    }
  }

  /**
   * From the control.
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

  /** How large a difference must be to be seen: 0.05 is 5%. */
  public double share() {
    return factor - 1;
  }
}
