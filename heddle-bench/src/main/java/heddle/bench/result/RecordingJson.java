package heddle.bench.result;

import heddle.bench.result.Series.Sample;
import heddle.load.record.Distribution;
import heddle.load.record.Failure;
import heddle.load.record.FailureKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Converts a recording to and from plain JSON values. The series is written by columns, each with
 * one value per sample.
 */
public final class RecordingJson {

  private RecordingJson() {}

  /** Omits empty values. */
  public static Map<String, Object> write(Recording recording) {
    Map<String, Object> fields = new LinkedHashMap<>();
    put(fields, "responseNanos", recording.response());
    put(fields, "serviceNanos", recording.service());
    put(fields, "sendLagNanos", recording.sendLag());
    if (!recording.series().samples().isEmpty()) {
      fields.put("series", series(recording.series().samples()));
    }
    if (!recording.failures().isEmpty()) {
      fields.put(
          "failures", recording.failures().stream().map(RecordingJson::failed).toList());
    }
    if (!recording.remarks().isEmpty()) {
      fields.put("remarks", recording.remarks());
    }
    return fields;
  }

  private static void put(Map<String, Object> fields, String name, Distribution distribution) {
    if (!distribution.isEmpty()) {
      fields.put(name, distribution.encoded());
    }
  }

  private static Map<String, Object> series(List<Sample> samples) {
    Map<String, Object> columns = new LinkedHashMap<>();
    column(columns, "seconds", samples, Sample::seconds);
    column(columns, "span", samples, Sample::span);
    column(columns, "requestsPerSecond", samples, Sample::requestsPerSecond);
    column(columns, "failures", samples, Sample::failures);
    column(columns, "inFlight", samples, Sample::inFlight);
    column(columns, "sendLagMicros", samples, Sample::sendLagMicros);
    column(columns, "heapBytes", samples, Sample::heapBytes);
    column(columns, "rssBytes", samples, Sample::rssBytes);
    column(columns, "cpuCores", samples, Sample::cpuCores);
    column(columns, "platformThreads", samples, Sample::platformThreads);
    return columns;
  }

  private static void column(
      Map<String, Object> columns,
      String name,
      List<Sample> samples,
      Function<Sample, @Nullable Number> value) {
    List<@Nullable Number> values = new ArrayList<>();
    samples.forEach(each -> values.add(value.apply(each)));
    columns.put(name, values);
  }

  private static Map<String, Object> failed(FailedRequests failed) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", failed.first().kind().name().toLowerCase(Locale.ROOT));
    fields.put("phase", failed.first().phase());
    fields.put("cause", failed.first().cause());
    fields.put("count", failed.count());
    fields.put("example", failed.first().text());
    return fields;
  }

  /**
   * Reads the output of {@link #write}.
   *
   * @throws IllegalArgumentException if it is malformed; the message says how
   */
  public static Recording read(Map<?, ?> fields) {
    List<FailedRequests> failures = new ArrayList<>();
    for (Object each : list(fields, "failures")) {
      failures.add(failed(each));
    }
    List<String> remarks = new ArrayList<>();
    list(fields, "remarks").forEach(each -> remarks.add(String.valueOf(each)));
    return new Recording(
        distribution(fields, "responseNanos"),
        distribution(fields, "serviceNanos"),
        distribution(fields, "sendLagNanos"),
        fields.get("series") instanceof Map<?, ?> columns ? series(columns) : Series.NONE,
        failures,
        remarks);
  }

  private static Distribution distribution(Map<?, ?> fields, String name) {
    try {
      return fields.get(name) instanceof String encoded
          ? Distribution.parse(encoded)
          : Distribution.EMPTY;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }

  private static List<?> list(Map<?, ?> fields, String name) {
    return fields.get(name) instanceof List<?> list ? list : List.of();
  }

  private static FailedRequests failed(Object value) {
    if (value instanceof Map<?, ?> fields && fields.get("count") instanceof Number count) {
      String kind = String.valueOf(fields.get("kind")).toUpperCase(Locale.ROOT);
      Failure first = new Failure(
          FailureKind.valueOf(kind),
          String.valueOf(fields.get("phase")),
          String.valueOf(fields.get("cause")),
          String.valueOf(fields.get("example")));
      return new FailedRequests(count.longValue(), first);
    }
    throw new IllegalArgumentException("one of failures has no count: " + value);
  }

  private static Series series(Map<?, ?> columns) {
    List<?> seconds = list(columns, "seconds");
    List<Sample> samples = new ArrayList<>();
    for (int i = 0; i < seconds.size(); i++) {
      Number rss = value(columns, "rssBytes", i);
      samples.add(new Sample(
          number(columns, "seconds", i).doubleValue(),
          number(columns, "span", i).doubleValue(),
          number(columns, "requestsPerSecond", i).doubleValue(),
          number(columns, "failures", i).longValue(),
          number(columns, "inFlight", i).longValue(),
          number(columns, "sendLagMicros", i).doubleValue(),
          number(columns, "heapBytes", i).longValue(),
          rss == null ? null : rss.longValue(),
          number(columns, "cpuCores", i).doubleValue(),
          number(columns, "platformThreads", i).intValue()));
    }
    return new Series(samples);
  }

  private static Number number(Map<?, ?> columns, String name, int row) {
    Number number = value(columns, name, row);
    if (number == null) {
      throw new IllegalArgumentException("the series lacks a number in " + name);
    }
    return number;
  }

  private static @Nullable Number value(Map<?, ?> columns, String name, int row) {
    List<?> values = list(columns, name);
    return row < values.size() && values.get(row) instanceof Number number ? number : null;
  }
}
