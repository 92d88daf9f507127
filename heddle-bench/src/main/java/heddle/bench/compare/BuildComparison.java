package heddle.bench.compare;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Effect;
import heddle.bench.result.Effects;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.stats.Estimate;
import heddle.bench.stats.Interval;
import heddle.bench.stats.Judge;
import heddle.bench.stats.Resolution;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Compares this build of Heddle with another one in the same race, by CPU time per request, with a
 * verdict for each cell. Ratios are the other build's time to that of this one: above 1, this build
 * is cheaper.
 *
 * <p>The control, which is this build raced against itself, shows how far two identical builds lie
 * apart on this machine. A build is cheaper or dearer only if the whole interval of its ratio lies
 * beyond the control's. There is no difference if its median lies within the control's interval, or
 * its interval holds 1, and both intervals are narrow enough to have shown a difference of {@value
 * #COARSEST_PERCENT}%.
 *
 * @param result of the race
 * @param other the name of the other build in it
 */
public record BuildComparison(RaceResult result, String other) {

  /** The intervals must be narrow enough to show a difference of this many percent. */
  static final int COARSEST_PERCENT = 10;

  /** The verdict on a cell. */
  public enum Outcome {
    /** The two lie no further apart than the control. */
    NO_DIFFERENCE,
    /** This build needs less CPU time per request. */
    CHEAPER,
    /** This build needs more CPU time per request. */
    DEARER,
    /** The figures are too few or too far apart. */
    TOO_NOISY
  }

  /**
   * The verdict for a cell.
   *
   * @param cell its name
   * @param outcome what can be said
   * @param percent by how much this build is cheaper or dearer than the other; if no difference is
   *     seen, the spread of the control; 0 if the figures are too noisy
   * @param ratio the other build's CPU time per request to that of this one; null if none is known
   * @param control the same of this build to itself; null if none is known
   */
  public record CellVerdict(
      String cell,
      Outcome outcome,
      double percent,
      @Nullable Estimate ratio,
      @Nullable Estimate control) {

    /** In words, such as {@code this build is dearer by 7.2%}. */
    public String words() {
      return switch (outcome) {
        case NO_DIFFERENCE -> percent("no difference seen (within the control's spread of ") + ")";
        case CHEAPER -> percent("this build is cheaper by ");
        case DEARER -> percent("this build is dearer by ");
        case TOO_NOISY -> "too noisy to say";
      };
    }

    private String percent(String how) {
      return how + String.format(Locale.ROOT, "%.1f%%", percent);
    }
  }

  /** One verdict per cell that either build or the control ran in, in the order of the race. */
  public List<CellVerdict> verdicts() {
    String control = result.environment().design().control();
    return result.results().stream()
        .map(Measurement::cell)
        .distinct()
        .map(cell -> verdict(cell.name(), effect(cell, other), effect(cell, control)))
        .toList();
  }

  /** Whether this build is dearer in a cell by more than this percentage. */
  public boolean isDearerThan(double percent) {
    return verdicts().stream()
        .anyMatch(each -> each.outcome() == Outcome.DEARER && each.percent() > percent);
  }

  /** Renders a verdict for each cell as text, with the figures that it is based on. */
  public String render() {
    StringBuilder text = new StringBuilder("This build of Heddle compared with " + other
        + ", by CPU time per request of the client.\nRatios above 1: this build is cheaper.\n");
    for (CellVerdict each : verdicts()) {
      text.append('\n').append(each.cell()).append(": ").append(each.words()).append('\n');
      line(text, other + " / this build", each.ratio());
      line(text, "this build / itself", each.control());
    }
    return text.toString();
  }

  private static void line(StringBuilder text, String what, @Nullable Estimate ratio) {
    text.append("  ").append(what).append("  ");
    if (ratio == null) {
      text.append("no round in which both have a figure\n");
      return;
    }
    Interval interval = ratio.interval();
    text.append(String.format(
        Locale.ROOT,
        "%.3f (%.3f to %.3f, %.0f%% over %d rounds)%n",
        ratio.median(),
        interval.low(),
        interval.high(),
        100 * interval.confidence(),
        ratio.count()));
  }

  private @Nullable Effect effect(CellInfo cell, String client) {
    Measurement found = Effects.find(result.results(), cell, client);
    return found == null ? null : found.effect(Figure.CPU);
  }

  private static CellVerdict verdict(
      String cell, @Nullable Effect effect, @Nullable Effect ofControl) {
    Estimate ratio = effect == null ? null : effect.ratio();
    Estimate control = ofControl == null ? null : ofControl.ratio();
    Resolution resolution = effect == null ? null : effect.resolution();
    if (ratio == null || resolution == null || ratio.count() < Judge.LEAST_ROUNDS) {
      return new CellVerdict(cell, Outcome.TOO_NOISY, 0, ratio, control);
    }
    double spread = resolution.factor();
    Interval interval = ratio.interval();
    if (interval.low() > spread) {
      double cheaper = 100 * (1 - 1 / ratio.median());
      return new CellVerdict(cell, Outcome.CHEAPER, cheaper, ratio, control);
    }
    if (interval.high() < 1 / spread) {
      double dearer = 100 * (1 / ratio.median() - 1);
      return new CellVerdict(cell, Outcome.DEARER, dearer, ratio, control);
    }
    double seen = Math.max(spread, Resolution.of(ratio).factor());
    boolean isWithin = ratio.median() <= spread && ratio.median() >= 1 / spread;
    boolean isAlike = isWithin || interval.contains(1);
    return isAlike && 100 * (seen - 1) <= COARSEST_PERCENT
        ? new CellVerdict(cell, Outcome.NO_DIFFERENCE, 100 * (spread - 1), ratio, control)
        : new CellVerdict(cell, Outcome.TOO_NOISY, 0, ratio, control);
  }
}
