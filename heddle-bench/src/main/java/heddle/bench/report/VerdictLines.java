package heddle.bench.report;

import heddle.bench.result.Effect;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Soundness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Renders the verdicts on the clients of a cell, and the doubts about the figures. */
final class VerdictLines {

  /** The figures that get a verdict in words. */
  private static final Map<Figure, String> HEADLINES = Map.ofEntries(
      Map.entry(Figure.CPU, "by CPU time for each request"),
      Map.entry(Figure.RATE, "by requests a second"),
      Map.entry(Figure.MEAN, "by average latency"),
      Map.entry(Figure.P99, "by the 99th percentile of the latency"),
      Map.entry(Figure.HELD_MOST, "by requests held"),
      Map.entry(Figure.HELD_RSS, "by memory for each request held"),
      Map.entry(Figure.FIRST_ANSWER, "by time to the first answer"),
      Map.entry(Figure.FIRST_ANSWER_CPU, "by CPU time to the first answer"),
      Map.entry(Figure.SERVER_CPU, "by the server's CPU time for each request"),
      Map.entry(Figure.SERVER_HEAP, "by the server's heap"),
      Map.entry(Figure.SERVER_THREADS, "by the server's platform threads"));

  private static List<Figure> headlines(LoadKind kind) {
    return switch (kind) {
      case CLOSED -> List.of(Figure.CPU, Figure.RATE);
      case FIRST -> List.of(Figure.FIRST_ANSWER, Figure.FIRST_ANSWER_CPU);
      case SERVED -> List.of(Figure.SERVER_CPU, Figure.SERVER_HEAP, Figure.SERVER_THREADS);
      case OPEN -> List.of(Figure.CPU, Figure.P99);
      case BATCH -> List.of(Figure.CPU, Figure.RATE, Figure.MEAN);
      case HELD -> List.of(Figure.HELD_MOST, Figure.HELD_RSS);
    };
  }

  private VerdictLines() {}

  /** One line per client and headline, and per client that is noisy or invalid. */
  static List<String> of(CellView cell) {
    List<String> lines = new ArrayList<>();
    for (Measurement each : cell.measurements()) {
      for (Figure figure : headlines(cell.info().kind())) {
        Effect effect = each.effect(figure);
        if (effect != null && effect.ratio().count() > 1) {
          lines.add(each.client() + " " + HEADLINES.get(figure) + ": " + effect.label() + ", "
              + effect.verdict().reason());
        }
      }
    }
    for (Measurement each : cell.measurements()) {
      Soundness soundness = each.soundness();
      if (!(soundness instanceof Soundness.Valid)) {
        lines.add(each.client() + " is " + soundness.label() + ": "
            + String.join("; ", soundness.reasons()));
      }
    }
    return lines;
  }
}
