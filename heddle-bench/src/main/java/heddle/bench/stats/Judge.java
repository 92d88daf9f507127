package heddle.bench.stats;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Turns ratios into verdicts: a difference must lie beyond the resolution with its whole interval.
 *
 * <p>With fewer than five rounds no interval of a median reaches 90%. Such intervals alone would
 * give too many false verdicts, but not together with a control: without a true difference, all
 * three rounds would have to lie on the same side of all three of the control.
 */
public final class Judge {

  /** The confidence that an interval needs if no control has shown the resolution. */
  private static final double LEAST_CONFIDENCE = 0.9;

  /** The number of rounds that a verdict needs if there is a control, and that this needs. */
  public static final int LEAST_ROUNDS = 3;

  /** With a coarser resolution than this, "no difference" is not a verdict. */
  private static final double COARSEST = 1.25;

  private Judge() {}

  /** Whether a ratio has too few rounds for a verdict, however close they are together. */
  public static boolean hasTooFewRounds(Estimate ratio, @Nullable Resolution resolution) {
    return ratio.count() < LEAST_ROUNDS
        || (resolution == null && ratio.interval().confidence() < LEAST_CONFIDENCE);
  }

  /**
   * Returns the verdict on a ratio.
   *
   * @param ratio to the baseline
   * @param resolution the resolution from the control; null if there was none
   * @param moreIsBetter whether a ratio above 1 is better
   */
  public static Verdict of(Estimate ratio, @Nullable Resolution resolution, boolean moreIsBetter) {
    Interval interval = ratio.interval();
    String told = told(ratio);
    if (hasTooFewRounds(ratio, resolution)) {
      return new Verdict.TooNoisy(told
          + (resolution == null
              ? ": without a control it takes five rounds"
              : ": it takes three rounds"));
    }
    double factor = resolution == null ? 1 : resolution.factor();
    String beyond = resolution == null
        ? "no control has shown what this machine resolves"
        : String.format(Locale.ROOT, "the resolution is %.1f%%", 100 * resolution.share());
    if (interval.low() > factor || interval.high() < 1 / factor) {
      return (interval.low() > factor) == moreIsBetter
          ? new Verdict.Better(told + "; " + beyond)
          : new Verdict.Worse(told + "; " + beyond);
    }
    boolean isWithin = interval.low() >= 1 / factor && interval.high() <= factor;
    return isWithin && factor <= COARSEST
        ? new Verdict.NoDifference(told + "; " + beyond)
        : new Verdict.TooNoisy(told + " can be either; " + beyond);
  }

  private static String told(Estimate ratio) {
    Interval interval = ratio.interval();
    return String.format(
        Locale.ROOT,
        "%.3f (%.3f to %.3f, %.0f%% over %d rounds)",
        ratio.median(),
        interval.low(),
        interval.high(),
        100 * interval.confidence(),
        ratio.count());
  }
}
