package heddle.bench.result;

import heddle.bench.stats.MedianEstimator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Combines the runs of a client in a cell into one measurement. */
public final class Medians {

  private static final double MIB = 1 << 20;

  private Medians() {}

  /** The measurement, without effects. */
  public static Measurement of(CellInfo cell, String client, List<Run> runs) {
    List<Run> all = new ArrayList<>();
    for (Run run : runs) {
      RunFigures figures = withCpuPerMiB(cell, run.figures());
      all.add(new Run(run.round(), figures, run.soundness(), run.recording()));
    }
    all.sort(Comparator.comparingInt(Run::round));
    Map<Figure, Double> medians = new EnumMap<>(Figure.class);
    for (Figure figure : Figure.values()) {
      List<Double> values = List.copyOf(byRound(all, figure).values());
      if (!values.isEmpty()) {
        medians.put(figure, summary(figure, values));
      }
    }
    return new Measurement(cell, client, all, medians, List.of());
  }

  /** The figure in each valid round that has it. */
  public static Map<Integer, Double> byRound(List<Run> runs, Figure figure) {
    Map<Integer, Double> values = new TreeMap<>();
    for (Run run : runs) {
      Double value = run.figures().of(figure);
      if (value != null && !run.isInvalid()) {
        values.put(run.round(), value);
      }
    }
    return values;
  }

  private static RunFigures withCpuPerMiB(CellInfo cell, RunFigures figures) {
    Double cpu = figures.of(Figure.CPU);
    return cpu == null || !cell.isLarge()
        ? figures
        : figures.with(Figure.CPU_PER_MIB, cpu * MIB / cell.contentBytes());
  }

  /** The median, except for connections the maximum, so that a single excess is visible. */
  private static double summary(Figure figure, List<Double> values) {
    return figure == Figure.CONNECTIONS
        ? values.stream().mapToDouble(Double::doubleValue).max().orElseThrow()
        : MedianEstimator.median(values);
  }
}
