package heddle.load.cluster.merge;

import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadReport;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.goal.Slo;
import heddle.load.record.GeneratorCost;
import heddle.load.record.Latency;
import heddle.load.schedule.Stage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.jr.ob.JSON;

/**
 * Writes a load's figures as JSON: the load under {@code plan}, latency in microseconds, and under
 * {@code histograms} all recorded values in nanoseconds, in HdrHistogram's compressed form, version
 * 2, in base 64, or an empty string if there are none.
 */
public final class LoadJson {

  /** The value of {@code format}, the first key. */
  static final String FORMAT = "heddle-load";

  static final int VERSION = 1;

  private LoadJson() {}

  /** Writes it indented, on several lines. */
  public static void write(LoadResult result, List<Slo.Verdict> goals, OutputStream out)
      throws IOException {
    write(JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT), result, goals, out);
  }

  /** Writes it on one line, so that it can be found in a log. */
  public static void writeLine(LoadResult result, List<Slo.Verdict> goals, OutputStream out)
      throws IOException {
    write(JSON.std, result, goals, out);
  }

  private static void write(
      JSON style, LoadResult result, List<Slo.Verdict> goals, OutputStream out) throws IOException {
    out.write((style.asString(asMap(result, goals)) + "\n").getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, Object> asMap(LoadResult result, List<Slo.Verdict> goals) {
    LoadReport report = result.report();
    var json = new LinkedHashMap<String, Object>();
    json.put("format", FORMAT);
    json.put("version", VERSION);
    json.put("plan", plan(result.target(), report.shape()));
    json.put("segment", report.shape().segment().toString());
    json.put("host", result.host());
    json.put("processes", result.processes());
    json.put("begin", report.sending().begin().toString());
    json.put("partial", report.isPartial());
    json.put("cutShort", report.cutShort());
    json.put("valid", report.isValid());
    json.put("doubts", report.doubts());
    json.put("seconds", report.duration().toNanos() / 1e9);
    json.put("answered", report.answered());
    json.put("errors", report.failed());
    json.put("dropped", report.dropped());
    json.put("bodyBytes", report.bodyBytes());
    json.put("requestsPerSecond", report.requestsPerSecond());
    json.put("latencyMicros", latency(report.latency()));
    json.put("serviceMicros", latency(report.service()));
    json.put("sendLagMicros", latency(report.sendLag()));
    json.put("errorsByCause", errors(report.errors()));
    json.put("goals", goals(goals));
    extras(json, report);
    json.put("sent", report.sending().count());
    json.put("sendingSeconds", report.sending().seconds());
    json.put("histograms", histograms(report.distributions()));
    return json;
  }

  private static Map<String, String> histograms(LoadReport.Distributions all) {
    var json = new LinkedHashMap<String, String>();
    json.put("response", all.response().encoded());
    json.put("service", all.service().encoded());
    json.put("sendLag", all.sendLag().encoded());
    json.put("handOver", all.handOver().encoded());
    json.put("completion", all.completion().encoded());
    return json;
  }

  /** The description of the load, the same for all its segments. */
  static Map<String, Object> plan(Map<String, Object> target, LoadShape shape) {
    var json = new LinkedHashMap<String, Object>(target);
    switch (shape.pace()) {
      case Pace.Closed closed -> {
        json.put("callers", closed.callers());
        json.put("thinkSeconds", closed.think().mean().toNanos() / 1e9);
        json.put("thinkExponential", closed.think().exponential());
        json.put("thinkSeed", closed.think().seed());
      }
      case Pace.Open open -> {
        if (open.rate().isConstant()) {
          json.put("ratePerSecond", open.rate().peak());
        }
        json.put("stages", open.rate().stages().stream().map(LoadJson::stage).toList());
        json.put("arrivals", open.arrivals().name());
        json.put("seed", open.seed());
        json.put("inFlight", open.inFlight());
        json.put("maxInFlight", open.maxInFlight());
      }
      case Pace.Batch batch -> json.put("batch", batch.size());
      case Pace.Held held -> json.put("hold", held.count());
    }
    switch (shape.extent()) {
      case Extent.Requests requests -> json.put("requests", requests.count());
      case Extent.Lasting lasting -> json.put("seconds", lasting.duration().toNanos() / 1e9);
    }
    json.put("warmUpSeconds", shape.warmUp().toNanos() / 1e9);
    json.put("strand", shape.strand().toString());
    return json;
  }

  private static Map<String, Object> stage(Stage stage) {
    var json = new LinkedHashMap<String, Object>();
    json.put("from", stage.from());
    json.put("to", stage.to());
    json.put("seconds", stage.duration().toNanos() / 1e9);
    return json;
  }

  private static Map<String, Object> latency(Latency latency) {
    var json = new LinkedHashMap<String, Object>();
    json.put("mean", latency.mean());
    json.put("p50", latency.p50());
    json.put("p90", latency.p90());
    json.put("p95", latency.p95());
    json.put("p99", latency.p99());
    json.put("p999", latency.p999());
    json.put("p9999", latency.p9999());
    json.put("max", latency.max());
    return json;
  }

  private static List<Map<String, Object>> errors(List<ErrorCause> errors) {
    var json = new ArrayList<Map<String, Object>>();
    for (ErrorCause error : errors) {
      var one = new LinkedHashMap<String, Object>();
      one.put("kind", error.kind().label());
      one.put("phase", error.phase());
      one.put("cause", error.cause());
      one.put("count", error.count());
      one.put("example", error.example());
      json.add(one);
    }
    return json;
  }

  private static List<Map<String, Object>> goals(List<Slo.Verdict> goals) {
    var json = new ArrayList<Map<String, Object>>();
    for (Slo.Verdict goal : goals) {
      var one = new LinkedHashMap<String, Object>();
      one.put("goal", goal.slo().text());
      one.put("met", goal.isMet());
      one.put("measured", Double.isNaN(goal.measured()) ? null : goal.measured());
      json.add(one);
    }
    return json;
  }

  private static void extras(Map<String, Object> json, LoadReport report) {
    GeneratorCost cost = report.generator();
    if (cost != null) {
      var one = new LinkedHashMap<String, Object>();
      one.put("wallSeconds", cost.wall().toNanos() / 1e9);
      one.put("cpuSeconds", cost.cpu().toNanos() / 1e9);
      one.put("cpuShare", cost.cpuShare());
      one.put("cores", cost.cores());
      one.put("collectingSeconds", cost.collecting().toNanos() / 1e9);
      one.put("stalledSeconds", cost.stalled().toNanos() / 1e9);
      one.put("longestStallMillis", cost.longestStall().toNanos() / 1e6);
      json.put("generator", one);
    }
    LoadReport.Batches batches = report.batches();
    if (batches != null) {
      var one = new LinkedHashMap<String, Object>();
      one.put("count", batches.count());
      one.put("size", batches.size());
      one.put("requests", batches.requests());
      one.put("handingOverSeconds", batches.handingOver().toNanos() / 1e9);
      one.put("handOverMicros", latency(batches.handOver()));
      one.put("completionMicros", latency(batches.completion()));
      json.put("batches", one);
    }
    LoadReport.Held held = report.held();
    if (held != null) {
      var one = new LinkedHashMap<String, Object>();
      one.put("asked", held.asked());
      one.put("begun", held.begun());
      one.put("most", held.most());
      one.put("atEnd", held.atEnd());
      one.put("beginningSeconds", held.beginning().toNanos() / 1e9);
      one.put("reachedAfterSeconds", held.reachedAfter().toNanos() / 1e9);
      one.put("why", held.why());
      json.put("held", one);
    }
  }
}
