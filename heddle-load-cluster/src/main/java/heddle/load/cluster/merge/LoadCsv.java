package heddle.load.cluster.merge;

import heddle.load.LoadReport;
import heddle.load.record.Latency;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** A load's figures as two lines of comma-separated values (RFC 4180): names, then values. */
public final class LoadCsv {

  private LoadCsv() {}

  /** Writes the line of names and the line of values. */
  public static void write(LoadReport report, OutputStream out) throws IOException {
    Map<String, Object> row = row(report);
    String values = String.join(",", row.values().stream().map(String::valueOf).toList());
    String text = String.join(",", row.keySet()) + "\r\n" + values + "\r\n";
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, Object> row(LoadReport report) {
    var row = new LinkedHashMap<String, Object>();
    row.put("seconds", report.duration().toNanos() / 1e9);
    row.put("answered", report.answered());
    row.put("errors", report.failed());
    row.put("dropped", report.dropped());
    row.put("requests_per_second", report.requestsPerSecond());
    row.put("body_bytes", report.bodyBytes());
    put(row, "latency", report.latency());
    put(row, "service", report.service());
    put(row, "lag", report.sendLag());
    row.put("valid", report.isValid());
    row.put("partial", report.isPartial());
    return row;
  }

  private static void put(Map<String, Object> row, String name, Latency latency) {
    row.put(name + "_mean_us", latency.mean());
    row.put(name + "_p50_us", latency.p50());
    row.put(name + "_p90_us", latency.p90());
    row.put(name + "_p99_us", latency.p99());
    row.put(name + "_p999_us", latency.p999());
    row.put(name + "_max_us", latency.max());
  }
}
