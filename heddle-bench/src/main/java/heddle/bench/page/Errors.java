package heddle.bench.page;

import heddle.bench.result.FailedRequests;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.load.record.Failure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The table of failed requests by client, phase of the call, and cause. */
final class Errors {

  private static final String UNKNOWN = "–";

  private Errors() {}

  /** The key by which failures are grouped in one row. */
  private record Alike(String kind, String phase, String cause) {}

  /** The number of failures, and the message of one. */
  private record Failed(long count, String example) {

    Failed and(Failed other) {
      return new Failed(count + other.count(), example.isEmpty() ? other.example() : example);
    }
  }

  /** One row per cell, client and kind of failure; no rows if nothing failed. */
  static Table of(RaceResult result) {
    List<Table.Row> rows = new ArrayList<>();
    for (Measurement each : result.results()) {
      double sent = answered(each) + each.errors();
      failed(each)
          .forEach((alike, failed) -> rows.add(Table.ofClient(
              each.client(),
              List.of(
                  each.cell().name(),
                  Unit.COUNT.show((double) failed.count()),
                  sent <= 0 ? UNKNOWN : Unit.SHARE.show(failed.count() / sent),
                  alike.kind(),
                  alike.phase(),
                  alike.cause(),
                  failed.example()))));
    }
    return new Table(
        List.of("client", "cell", "requests", "of all", "kind", "phase", "cause", "such as"), rows);
  }

  private static Map<Alike, Failed> failed(Measurement measurement) {
    Map<Alike, Failed> all = new LinkedHashMap<>();
    for (Run run : measurement.runs()) {
      for (FailedRequests each : run.recording().failures()) {
        Failure first = each.first();
        String phase = first.phase().isEmpty() ? UNKNOWN : first.phase();
        all.merge(
            new Alike(first.kind().label(), phase, first.cause()),
            new Failed(each.count(), first.text()),
            Failed::and);
      }
      if (run.recording().failures().isEmpty()) {
        run.figures()
            .errorsByCause()
            .forEach((cause, count) ->
                all.merge(new Alike(UNKNOWN, UNKNOWN, cause), new Failed(count, ""), Failed::and));
      }
    }
    return all;
  }

  private static double answered(Measurement measurement) {
    double answered = 0;
    for (Run run : measurement.runs()) {
      Double value = run.figures().of(Figure.ANSWERED);
      answered += value == null ? 0 : value;
    }
    return answered;
  }
}
