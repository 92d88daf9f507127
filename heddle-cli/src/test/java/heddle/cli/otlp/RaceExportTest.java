package heddle.cli.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RaceExportTest {

  private final List<String> told = new ArrayList<>();

  private static RaceResult race() {
    CellInfo cell =
        new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64);
    return new RaceResult(
        new Environment(
            "2026-01-02T03:04:05Z",
            "",
            "",
            "",
            2,
            "",
            "",
            List.of(),
            Map.of(),
            Map.of(),
            new Design(Method.WARM, "tuned", 1, 1, "heddle", false),
            1),
        List.of(Medians.of(
            cell,
            "heddle",
            List.of(
                run(1, 10.5, new Soundness.Valid()),
                run(2, 11.5, new Soundness.Noisy(List.of("steal")))))),
        List.of(),
        List.of());
  }

  private static Run run(int round, double cpu, Soundness soundness) {
    RunFigures figures = new RunFigures(Map.of(Figure.CPU, cpu, Figure.RATE, 100.0), Map.of());
    return new Run(round, figures, soundness);
  }

  @Test
  void eachFigureHasAPointForEachRun() throws IOException {
    try (Collector collector = new Collector(200)) {
      OtlpSettings settings = OtlpSettings.of(collector.url(), List.of(), Map.of());
      RaceExport.send(settings, race(), told::add);
      Map<String, Metric> metrics = collector.last().metrics();
      assertEquals(
          Set.of("heddle.race.cpu_micros_per_request", "heddle.race.requests_per_second"),
          metrics.keySet());
      Metric cpu = metrics.get("heddle.race.cpu_micros_per_request");
      assertEquals("us", cpu.getUnit());
      Map<String, Double> points = new TreeMap<>();
      for (NumberDataPoint each : cpu.getGauge().getDataPointsList()) {
        points.put(Collector.text(each.getAttributesList()), each.getAsDouble());
      }
      String where = "{heddle.race.cell=h1-64, heddle.race.client=heddle, heddle.race.round=";
      assertEquals(
          Map.of(
              where + "1, heddle.race.soundness=valid}", 10.5,
              where + "2, heddle.race.soundness=noisy}", 11.5),
          points);
    }
    assertEquals(List.of(), told);
  }

  @Test
  void collectorThatDoesNotTakeItIsToldOf() throws IOException {
    try (Collector collector = new Collector(404)) {
      OtlpSettings settings = OtlpSettings.of(collector.url(), List.of(), Map.of());
      RaceExport.send(settings, race(), told::add);
    }
    assertEquals(1, told.size());
    assertTrue(told.getFirst().contains("status 404"), told::toString);
  }

  @Test
  void figuresHaveNamesOfTheirOwnInTheConventionsLetters() {
    Set<String> names = new HashSet<>();
    for (Figure figure : Figure.values()) {
      String name = RaceMetrics.name(figure);
      assertTrue(name.matches("heddle\\.race\\.[a-z0-9]+(_[a-z0-9]+)*"), name);
      assertTrue(names.add(name), name);
    }
    assertTrue(names.contains("heddle.race.cpu_micros_per_mib"));
  }
}
