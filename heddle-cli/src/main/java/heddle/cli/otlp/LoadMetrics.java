package heddle.cli.otlp;

import heddle.load.ErrorCause;
import heddle.load.LoadListener.Recorded;
import heddle.load.record.FailureKind;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.Data;
import io.opentelemetry.sdk.metrics.data.ExponentialHistogramData;
import io.opentelemetry.sdk.metrics.data.GaugeData;
import io.opentelemetry.sdk.metrics.data.HistogramData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.MetricDataType;
import io.opentelemetry.sdk.metrics.data.SumData;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiFunction;
import org.HdrHistogram.Histogram;

/**
 * Converts the recordings of a load to metrics. They are cumulative, so that the next export makes
 * up for a lost one.
 */
final class LoadMetrics {

  private static final AggregationTemporality ALL_SO_FAR = AggregationTemporality.CUMULATIVE;
  private static final String STATUS = "http.response.status_code";

  private final Scope scope;
  private final Attributes tags;
  private final boolean exponential;
  private final long start;
  private final long now;
  private final List<MetricData> metrics = new ArrayList<>();

  private LoadMetrics(Scope scope, Attributes tags, boolean exponential, long start, long now) {
    this.scope = scope;
    this.tags = tags;
    this.exponential = exponential;
    this.start = start;
    this.now = now;
  }

  /**
   * The metrics.
   *
   * @param start when the measured part began, in nanoseconds since 1970
   * @param now the present time, in the same unit
   */
  static List<MetricData> of(
      Recorded recorded, Scope scope, Attributes tags, boolean exponential, long start, long now) {
    LoadMetrics all = new LoadMetrics(scope, tags, exponential, start, now);
    Map<Attributes, Histogram> responses = new LinkedHashMap<>();
    recorded.responses().forEach((status, each) -> responses.put(all.answered(status), each));
    all.durations(
        "http.client.request.duration",
        "Response time of good answers, from the intended start of the request",
        responses);
    all.counts("heddle.load.answers", "Good answers", counts(responses));
    all.counts("heddle.load.failures", "Requests that failed", all.failures(recorded.errors()));
    all.counts(
        "heddle.load.dropped",
        "Requests that were not sent, because too many were unfinished",
        Map.of(tags, recorded.dropped()));
    all.inFlight(recorded.inFlight());
    Histogram lags = recorded.sendLags();
    if (lags.getTotalCount() > 0) {
      all.durations(
          "heddle.load.send_lag",
          "How much later than intended requests were sent",
          Map.of(tags, lags));
    }
    return all.metrics;
  }

  private Attributes answered(int status) {
    return status == 0 ? tags : tags.toBuilder().put(STATUS, status).build();
  }

  private static Map<Attributes, Long> counts(Map<Attributes, Histogram> all) {
    Map<Attributes, Long> counts = new LinkedHashMap<>();
    all.forEach((each, histogram) -> counts.put(each, histogram.getTotalCount()));
    return counts;
  }

  /** Adds up causes with equal attributes. */
  private Map<Attributes, Long> failures(List<ErrorCause> errors) {
    Map<Attributes, Long> counts = new LinkedHashMap<>();
    for (ErrorCause error : errors) {
      AttributesBuilder failed = tags.toBuilder();
      String status = error.cause().replaceFirst("^status ", "");
      if (error.kind() == FailureKind.STATUS && status.matches("\\d{3}")) {
        failed.put("error.type", status).put(STATUS, Integer.parseInt(status));
      } else {
        failed.put("error.type", error.kind().name().toLowerCase(Locale.ROOT));
      }
      if (!error.phase().isEmpty()) {
        failed.put("heddle.phase", error.phase());
      }
      counts.merge(failed.build(), error.count(), Long::sum);
    }
    return counts;
  }

  private void durations(String name, String description, Map<Attributes, Histogram> all) {
    MetricDataType type =
        exponential ? MetricDataType.EXPONENTIAL_HISTOGRAM : MetricDataType.HISTOGRAM;
    Data<?> data = exponential
        ? ExponentialHistogramData.create(
            ALL_SO_FAR,
            points(all, (tagged, each) -> DurationPoint.exponential(each, start, now, tagged)))
        : HistogramData.create(
            ALL_SO_FAR,
            points(all, (tagged, each) -> DurationPoint.explicit(each, start, now, tagged)));
    add(name, description, "s", type, data);
  }

  private void counts(String name, String description, Map<Attributes, Long> all) {
    add(
        name,
        description,
        "{request}",
        MetricDataType.LONG_SUM,
        SumData.createLongSumData(
            true,
            ALL_SO_FAR,
            points(all, (tagged, count) -> LongPointData.create(start, now, tagged, count))));
  }

  private void inFlight(long count) {
    add(
        "heddle.load.in_flight",
        "Unfinished requests",
        "{request}",
        MetricDataType.LONG_GAUGE,
        GaugeData.createLongGaugeData(List.of(LongPointData.create(start, now, tags, count))));
  }

  private static <V, P> List<P> points(Map<Attributes, V> all, BiFunction<Attributes, V, P> point) {
    return all.entrySet().stream()
        .map(each -> point.apply(each.getKey(), each.getValue()))
        .toList();
  }

  private void add(
      String name, String description, String unit, MetricDataType type, Data<?> data) {
    metrics.add(new Metric(scope, name, description, unit, type, data));
  }
}
