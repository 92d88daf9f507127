package heddle.bench.page;

import heddle.bench.result.FailedRequests;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.load.record.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The table of failed requests by client, phase of the call, and cause. */
final class Errors {

  private static final String UNKNOWN = "–";

  private Errors() {}

  /** One row per cell, client and kind of failure; no rows if nothing failed. */
  static Table of(RaceResult result) {
    List<Table.Row> rows = new ArrayList<>();
    for (Measurement each : result.results()) {
      List<FailedRequests> failures = each.failures();
      for (FailedRequests failed : failures) {
        Failure first = failed.first();
        String phase = first.phase().isEmpty() ? UNKNOWN : first.phase();
        rows.add(
            row(each, failed.count(), first.kind().label(), phase, first.cause(), first.text()));
      }
      if (failures.isEmpty()) {
        // Programs such as wrk and h2load only count their failures.
        each.errorsByCause()
            .forEach((cause, count) -> rows.add(row(each, count, UNKNOWN, UNKNOWN, cause, "")));
      }
    }
    return new Table(
        List.of("client", "cell", "requests", "of all", "kind", "phase", "cause", "such as"), rows);
  }

  private static Table.Row row(
      Measurement of, long count, String kind, String phase, String cause, String example) {
    double answered = of.runs().stream()
        .map(run -> run.figures().of(Figure.ANSWERED))
        .filter(Objects::nonNull)
        .mapToDouble(Double::doubleValue)
        .sum();
    double sent = answered + of.errors();
    return Table.ofClient(
        of.client(),
        List.of(
            of.cell().name(),
            Unit.COUNT.show((double) count),
            sent <= 0 ? UNKNOWN : Unit.SHARE.show(count / sent),
            kind,
            phase,
            cause,
            example));
  }
}
