package heddle.bench.page;

import heddle.bench.result.Effect;
import heddle.bench.stats.Interval;

/**
 * A client beside the baseline, as text.
 *
 * @param ratio such as {@code 0.52×}
 * @param interval of the ratio; empty where there is none
 * @param mark the symbol of the verdict
 * @param word the verdict
 * @param reason what it rests on
 */
record Beside(String ratio, String interval, String mark, String word, String reason) {

  /** Of a client that is not compared. */
  static final Beside NOTHING = new Beside("", "", "", "", "");

  /** Of the baseline itself. */
  static final Beside BASELINE = new Beside("", "", "", "baseline", "");

  static Beside of(Effect effect) {
    Interval interval = effect.ratio().interval();
    return new Beside(
        Unit.times(effect.ratio().median()),
        hasInterval(effect) ? Unit.span(interval.low(), interval.high()) : "",
        Mark.of(effect.verdict()).css(),
        effect.label(),
        effect.verdict().reason());
  }

  /** The same with another word in place of the verdict. */
  Beside withWord(String other) {
    return new Beside(ratio, interval, mark, other, reason);
  }

  /** One round says nothing of what the next will be. */
  static boolean hasInterval(Effect effect) {
    return effect.ratio().count() > 1;
  }
}
