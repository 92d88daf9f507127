package heddle.bench.page;

import heddle.bench.result.Effect;
import heddle.bench.stats.Interval;

/**
 * The comparison of a client with the baseline, as text.
 *
 * @param ratio such as {@code 0.52×}
 * @param interval of the ratio; empty if there is none
 * @param mark the symbol of the verdict
 * @param word the verdict
 * @param reason what the verdict is based on
 */
record BaselineComparison(String ratio, String interval, String mark, String word, String reason) {

  /** For a client that is not compared. */
  static final BaselineComparison NOTHING = new BaselineComparison("", "", "", "", "");

  /** For the baseline itself. */
  static final BaselineComparison BASELINE = new BaselineComparison("", "", "", "baseline", "");

  static BaselineComparison of(Effect effect) {
    Interval interval = effect.ratio().interval();
    return new BaselineComparison(
        Unit.times(effect.ratio().median()),
        hasInterval(effect) ? Unit.span(interval.low(), interval.high()) : "",
        Mark.of(effect.verdict()).css(),
        effect.label(),
        effect.verdict().reason());
  }

  /** A copy with another word in place of the verdict. */
  BaselineComparison withWord(String other) {
    return new BaselineComparison(ratio, interval, mark, other, reason);
  }

  /** A single round does not give an interval. */
  static boolean hasInterval(Effect effect) {
    return effect.ratio().count() > 1;
  }
}
