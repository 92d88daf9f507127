package heddle.cli;

import heddle.bench.load.ErrorCause;
import heddle.bench.load.Extent;
import heddle.bench.load.Latency;
import heddle.bench.load.LoadReport;
import heddle.bench.load.Pace;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/** A load's figures as JSON: what was asked for under {@code plan}, microseconds for latency. */
final class LoadJson {

  private LoadJson() {}

  static void write(LoadReport report, OutputStream out) throws IOException {
    String json = JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(asMap(report));
    out.write((json + "\n").getBytes(StandardCharsets.UTF_8));
  }

  static Map<String, Object> asMap(LoadReport report) {
    var json = new LinkedHashMap<String, Object>();
    json.put("plan", plan(report));
    json.put("seconds", report.duration().toNanos() / 1e9);
    json.put("answered", report.answered());
    json.put("errors", report.failed());
    json.put("bodyBytes", report.bodyBytes());
    json.put("requestsPerSecond", report.requestsPerSecond());
    json.put("latencyMicros", latency(report.latency()));
    if (report.plan().pace() instanceof Pace.Open) {
      json.put("sendLagMicros", latency(report.sendLag()));
    }
    json.put("errorsByCause", errors(report.errors()));
    return json;
  }

  private static Map<String, Object> plan(LoadReport report) {
    var json = new LinkedHashMap<String, Object>();
    json.put("url", report.plan().uri().toString());
    json.put("protocol", report.plan().wire().protocol().label());
    json.put("connections", report.plan().wire().connections());
    json.put("streams", report.plan().wire().streams());
    json.put("postBytes", report.plan().request().contentLength());
    switch (report.plan().pace()) {
      case Pace.Closed closed -> json.put("callers", closed.callers());
      case Pace.Open open -> {
        json.put("ratePerSecond", open.requestsPerSecond());
        json.put("inFlight", open.inFlight());
      }
    }
    switch (report.plan().extent()) {
      case Extent.Requests requests -> json.put("requests", requests.count());
      case Extent.Lasting lasting -> json.put("seconds", lasting.duration().toNanos() / 1e9);
    }
    json.put("warmUpSeconds", report.plan().warmUp().toNanos() / 1e9);
    return json;
  }

  private static Map<String, Object> latency(Latency latency) {
    var json = new LinkedHashMap<String, Object>();
    json.put("mean", latency.mean());
    json.put("p50", latency.p50());
    json.put("p90", latency.p90());
    json.put("p99", latency.p99());
    json.put("p999", latency.p999());
    json.put("max", latency.max());
    return json;
  }

  private static List<Map<String, Object>> errors(List<ErrorCause> errors) {
    var json = new ArrayList<Map<String, Object>>();
    for (ErrorCause error : errors) {
      var one = new LinkedHashMap<String, Object>();
      one.put("cause", error.cause());
      one.put("count", error.count());
      one.put("example", error.example());
      json.add(one);
    }
    return json;
  }
}
