package heddle.cli.otlp;

import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Converts the result of a race to metrics: one gauge per figure, with one point per run. */
final class RaceMetrics {

  private RaceMetrics() {}

  /**
   * The metrics.
   *
   * @param now the present time in nanoseconds since 1970
   */
  static List<MetricData> of(RaceResult result, Scope scope, long now) {
    Map<Figure, List<DoublePointData>> points = new EnumMap<>(Figure.class);
    for (Measurement each : result.results()) {
      for (Run run : each.runs()) {
        Attributes attributes = attributes(each, run);
        run.figures().values().forEach((figure, value) -> points
            .computeIfAbsent(figure, _ -> new ArrayList<>())
            .add(DoublePointData.create(now, now, attributes, value, List.of())));
      }
    }
    List<MetricData> metrics = new ArrayList<>();
    points.forEach((figure, all) -> metrics.add(new Metric(
        scope,
        name(figure),
        figure.key() + " of a run",
        unit(figure.key()),
        MetricDataType.DOUBLE_GAUGE,
        GaugeData.createDoubleGaugeData(all))));
    return metrics;
  }

  private static Attributes attributes(Measurement measurement, Run run) {
    return Attributes.builder()
        .put("heddle.race.client", measurement.client())
        .put("heddle.race.cell", measurement.cell().name())
        .put("heddle.race.round", run.round())
        .put("heddle.race.soundness", run.soundness().label())
        .build();
  }

  /** Such as {@code heddle.race.cpu_micros_per_request}. */
  static String name(Figure figure) {
    String words = figure.key().replace("MiB", "Mib").replaceAll("([A-Z])", "_$1");
    return "heddle.race." + words.toLowerCase(Locale.ROOT);
  }

  /** The UCUM code; 1 if there is no unit. */
  private static String unit(String key) {
    return key.contains("Micros")
        ? "us"
        : key.contains("Millis")
            ? "ms"
            : key.contains("Seconds") ? "s" : key.matches(".*([bB]ytes).*") ? "By" : "1";
  }
}
