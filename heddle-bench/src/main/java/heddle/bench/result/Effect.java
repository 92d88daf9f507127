package heddle.bench.result;

import heddle.bench.stats.Estimate;
import heddle.bench.stats.Resolution;
import heddle.bench.stats.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A client compared with the baseline, by one figure.
 *
 * @param figure the figure
 * @param ratio the client's to the baseline's: the median over the rounds that both have
 * @param resolution the resolution that the control has shown; null without a control
 * @param verdict the verdict
 */
public record Effect(
    Figure figure, Estimate ratio, @Nullable Resolution resolution, Verdict verdict) {

  /** The verdict, such as {@code faster}, {@code no difference} or {@code too noisy}. */
  public String label() {
    return switch (verdict) {
      case Verdict.Better _ -> figure.better();
      case Verdict.Worse _ -> figure.worse();
      case Verdict.NoDifference _ -> "no difference";
      case Verdict.TooNoisy _ -> "too noisy";
    };
  }
}
