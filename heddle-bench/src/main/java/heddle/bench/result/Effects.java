package heddle.bench.result;

import heddle.bench.stats.Estimate;
import heddle.bench.stats.Judge;
import heddle.bench.stats.MedianEstimator;
import heddle.bench.stats.Ratios;
import heddle.bench.stats.Resolution;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compares the clients of each cell with the baseline, round by round. */
public final class Effects {

  /** The figures that are higher in code that is not compiled yet, whatever the load. */
  private static final Set<Figure> COSTS = Set.of(Figure.CPU, Figure.CPU_PER_MIB, Figure.ALLOCATED);

  private Effects() {}

  /** Adds effects to the measurements of cells in which the baseline took part. */
  public static List<Measurement> of(List<Measurement> measurements, Design design) {
    List<Measurement> compared = new ArrayList<>();
    for (Measurement each : measurements) {
      Measurement baseline = find(measurements, each.cell(), design.baseline());
      Measurement control = find(measurements, each.cell(), design.control());
      compared.add(
          baseline == null || each.client().equals(design.baseline())
              ? each
              : withEffects(each, baseline, control, design));
    }
    return compared;
  }

  /**
   * The resolution that the control of a cell has shown; null if there was none.
   *
   * @param measurements the measurements with their effects
   */
  public static @Nullable Resolution resolution(
      List<Measurement> measurements, CellInfo cell, Design design, Figure figure) {
    Measurement control = find(measurements, cell, design.control());
    Effect effect = control == null ? null : control.effect(figure);
    return effect == null ? null : effect.resolution();
  }

  /** The measurement of a client in a cell; null if it did not take part. */
  public static @Nullable Measurement find(
      List<Measurement> measurements, CellInfo cell, String client) {
    return measurements.stream()
        .filter(each -> each.cell().equals(cell) && each.client().equals(client))
        .findFirst()
        .orElse(null);
  }

  private static Measurement withEffects(
      Measurement client, Measurement baseline, @Nullable Measurement control, Design design) {
    Map<Figure, Resolution> resolutions =
        control == null ? Map.of() : resolutions(ratios(control, baseline, design));
    List<Effect> effects = new ArrayList<>();
    ratios(client, baseline, design).forEach((figure, ratio) -> {
      Resolution resolution = resolutions.get(figure);
      effects.add(new Effect(
          figure, ratio, resolution, Judge.of(ratio, resolution, figure.isMoreBetter())));
    });
    return new Measurement(
        client.cell(), client.client(), client.runs(), client.medians(), effects);
  }

  private static Map<Figure, Resolution> resolutions(Map<Figure, Estimate> control) {
    Map<Figure, Resolution> resolutions = new EnumMap<>(Figure.class);
    control.forEach((figure, ratio) -> {
      if (ratio.count() >= Judge.LEAST_ROUNDS) {
        resolutions.put(figure, Resolution.of(ratio));
      }
    });
    return resolutions;
  }

  private static Map<Figure, Estimate> ratios(
      Measurement client, Measurement baseline, Design design) {
    Map<Figure, Estimate> ratios = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      if (figure.isComparedIn(client.cell().kind())) {
        List<Double> paired = Ratios.paired(
            Medians.byRound(comparable(client, figure, design), figure),
            Medians.byRound(comparable(baseline, figure, design), figure));
        if (!paired.isEmpty()) {
          ratios.put(figure, MedianEstimator.of(paired, design.seed()));
        }
      }
    }
    return ratios;
  }

  /**
   * Runs that can be compared: a client that keeps its JVM must be warm. Clients in fresh JVMs are
   * all compared in the state that their warm-up leaves them in, and a load with pauses slows only
   * what each request costs.
   */
  private static List<Run> comparable(Measurement client, Figure figure, Design design) {
    boolean mustBeWarm = design.method() == Method.WARM
        && (client.cell().kind() == LoadKind.CLOSED || COSTS.contains(figure));
    return mustBeWarm ? WarmRuns.of(client.runs()) : client.runs();
  }
}
