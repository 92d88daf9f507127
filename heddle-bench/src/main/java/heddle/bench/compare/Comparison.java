package heddle.bench.compare;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Effect;
import heddle.bench.result.Effects;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.stats.Estimate;
import heddle.bench.stats.Judge;
import heddle.bench.stats.MedianEstimator;
import heddle.bench.stats.Ratios;
import heddle.bench.stats.Resolution;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Compares two races. They have no rounds in common, so that disturbances of the machine do not
 * cancel out, and the control of a race covers only that race. Therefore a figure of time must
 * differ by more than {@value #BETWEEN_RACES} of itself for a verdict.
 *
 * @param before the first race
 * @param after the second one
 */
public record Comparison(RaceResult before, RaceResult after) {

  /** How far two races of the same programs were seen to differ on a shared machine. */
  private static final double BETWEEN_RACES = 0.15;

  /** The changes per cell and client, for each figure that both races have in a valid run. */
  public List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    for (Measurement each : after.results()) {
      Measurement earlier = Effects.find(before.results(), each.cell(), each.client());
      if (earlier != null) {
        for (Figure figure : Figure.values()) {
          Change change =
              figure.isComparedIn(each.cell().kind()) ? change(earlier, each, figure) : null;
          if (change != null) {
            changes.add(change);
          }
        }
      }
    }
    return changes;
  }

  /** Cells and clients that only one of the two has, as {@code okhttp in h1-64: only before}. */
  public List<String> unmatched() {
    List<String> lines = new ArrayList<>();
    unmatched(before, after, "only in the first", lines);
    unmatched(after, before, "only in the second", lines);
    return lines;
  }

  /** Which of the two was stopped before its end, as {@code the first is partial: ...}. */
  public List<String> partial() {
    List<String> lines = new ArrayList<>();
    if (before.isPartial()) {
      lines.add("the first is partial: it was stopped before its end");
    }
    if (after.isPartial()) {
      lines.add("the second is partial: it was stopped before its end");
    }
    return lines;
  }

  private static void unmatched(
      RaceResult one, RaceResult other, String which, List<String> lines) {
    for (Measurement each : one.results()) {
      if (Effects.find(other.results(), each.cell(), each.client()) == null) {
        lines.add(each.client() + " in " + each.cell().name() + ": " + which);
      }
    }
  }

  private @Nullable Change change(Measurement earlier, Measurement later, Figure figure) {
    List<Double> then = usable(earlier, figure);
    List<Double> now = usable(later, figure);
    if (then.isEmpty() || now.isEmpty()) {
      return null;
    }
    Estimate was = MedianEstimator.of(then, before.environment().design().seed());
    Estimate is = MedianEstimator.of(now, after.environment().design().seed());
    Estimate ratio = Ratios.unpaired(is, was);
    Resolution resolution = resolution(later.cell(), figure);
    Effect effect =
        new Effect(figure, ratio, resolution, Judge.of(ratio, resolution, figure.isMoreBetter()));
    return new Change(later.cell(), later.client(), was.median(), is.median(), effect);
  }

  private static List<Double> usable(Measurement measurement, Figure figure) {
    return measurement.counted().stream()
        .map(Run::figures)
        .map(figures -> figures.of(figure))
        .filter(Objects::nonNull)
        .filter(Ratios::isUsable)
        .toList();
  }

  /** The coarsest of the resolutions of both controls and of the difference between races. */
  private @Nullable Resolution resolution(CellInfo cell, Figure figure) {
    Resolution coarsest = figure.isTimed() ? new Resolution(1 + BETWEEN_RACES) : null;
    for (RaceResult race : List.of(before, after)) {
      Resolution shown =
          Effects.resolution(race.results(), cell, race.environment().design(), figure);
      coarsest = coarsest == null ? shown : shown == null ? coarsest : coarsest.or(shown);
    }
    return coarsest;
  }
}
