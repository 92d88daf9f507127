package heddle.bench.page;

import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Selects the most important figures. */
final class Headlines {

  /** Figures whose forest plots are not folded. */
  private static final Set<Figure> OPEN = Set.of(
      Figure.RATE,
      Figure.MEAN,
      Figure.P50,
      Figure.P99,
      Figure.MAX,
      Figure.BATCH_MEAN,
      Figure.HELD_MOST,
      Figure.HELD_SECONDS,
      Figure.HELD_HEAP,
      Figure.HELD_RSS,
      Figure.CPU,
      Figure.CPU_PER_MIB,
      Figure.ALLOCATED,
      Figure.PEAK_HEAP,
      Figure.PEAK_RSS,
      Figure.THREADS,
      Figure.KEPT);

  private Headlines() {}

  /**
   * The figures that clients are ranked by under this kind of load. The rate of an open load is
   * given, and no merit of the client.
   */
  static List<Figure> ranked(LoadKind kind) {
    return switch (kind) {
      case CLOSED ->
        List.of(Figure.KEPT, Figure.CPU, Figure.RATE, Figure.P99, Figure.PEAK_RSS, Figure.THREADS);
      case OPEN -> List.of(Figure.P99, Figure.MAX, Figure.CPU, Figure.PEAK_HEAP);
      case BATCH -> List.of(Figure.RATE, Figure.MEAN, Figure.CPU);
      case HELD ->
        List.of(Figure.HELD_MOST, Figure.HELD_SECONDS, Figure.HELD_HEAP, Figure.HELD_RSS);
      case FIRST ->
        List.of(Figure.FIRST_ANSWER, Figure.FIRST_ANSWER_CPU, Figure.CLASSES, Figure.PEAK_RSS);
      case SERVED ->
        List.of(
            Figure.SERVER_CPU,
            Figure.RATE,
            Figure.SERVER_CONNECTION_RSS,
            Figure.SERVER_HEAP,
            Figure.SERVER_LIVE_SET,
            Figure.SERVER_PEAK_RSS,
            Figure.SERVER_THREADS,
            Figure.P99);
    };
  }

  /** All figures by which any of the cells is ranked. */
  static List<Figure> ranked(List<CellResults> cells) {
    Set<Figure> figures = new LinkedHashSet<>();
    cells.forEach(each -> figures.addAll(ranked(each.info().kind())));
    return List.copyOf(figures);
  }

  /** Whether its forest plot is not folded. */
  static boolean isOpen(Figure figure) {
    return OPEN.contains(figure);
  }
}
