package heddle.bench.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.Recording;
import heddle.bench.result.Recordings;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Series.Sample;
import heddle.bench.result.Soundness;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The charts over time are of the process that a cell compares. */
class TimeChartsTest {

  private static final Recording RECORDING = Recordings.of(1, 12);

  @Test
  void comparisonOfServersShowsTheServersProcess() {
    CellResults cell = cell(LoadKind.SERVED);
    List<Sample> server = RECORDING.serverSeries().samples();
    assertEquals(
        server.stream().map(each -> (double) each.platformThreads()).toList(), y(cell, "threads"));
    assertEquals(
        server.stream().map(each -> (double) each.inFlight()).toList(), y(cell, "in-flight"));
    assertEquals(12, y(cell, "committed").size());
    // There was no collection before the first sample.
    assertEquals(11, y(cell, "after-gc").size());
    assertTrue(TimeCharts.note(cell).contains("warm-up included"), TimeCharts.note(cell));
  }

  @Test
  void comparisonOfClientsShowsTheClientsProcess() {
    CellResults cell = cell(LoadKind.CLOSED);
    List<Sample> client = RECORDING.series().samples();
    assertEquals(
        client.stream().map(each -> (double) each.platformThreads()).toList(), y(cell, "threads"));
    assertTrue(TimeCharts.of(cell).stream().noneMatch(each -> each.id().endsWith("-committed")));
    assertTrue(TimeCharts.note(cell).endsWith("measured part."), TimeCharts.note(cell));
  }

  private static List<Double> y(CellResults cell, String aspect) {
    Chart chart = TimeCharts.of(cell).stream()
        .filter(each -> each.id().endsWith("-time-" + aspect))
        .findFirst()
        .orElseThrow();
    return chart.series().getFirst().points().stream().map(Chart.Point::y).toList();
  }

  private static CellResults cell(LoadKind kind) {
    CellInfo info =
        new CellInfo("after-200-ms", "HTTP/1.1", false, 200, 1, "GET", "/ping/200", 6, kind, 200);
    RunFigures figures = new RunFigures(Map.of(Figure.RATE, 900.0), Map.of());
    Run run = new Run(1, figures, Soundness.of(List.of(), List.of()), RECORDING);
    return new CellResults(
        info,
        List.of(Medians.of(info, "JDK on a pool of 200", List.of(run))),
        null,
        new Design(Method.WARM, "tuned", 1, 1, "heddle on virtual threads", false),
        null);
  }
}
