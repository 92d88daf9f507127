package heddle.load.cluster.merge;

import heddle.load.ErrorCause;
import heddle.load.Extent;
import heddle.load.LoadReport;
import heddle.load.LoadShape;
import heddle.load.Pace;
import heddle.load.record.Distribution;
import heddle.load.record.FailureKind;
import heddle.load.record.GeneratorCost;
import heddle.load.schedule.RateCurve;
import heddle.load.schedule.Segment;
import heddle.load.schedule.Stage;
import heddle.load.schedule.Strand;
import heddle.load.schedule.Think;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** Reads the output of {@link LoadJson}; percentiles are computed from the histograms. */
public final class LoadJsonReader {

  /** The beginning of a result on one line. */
  private static final String LINE = "{\"format\":\"" + LoadJson.FORMAT + "\"";

  private LoadJsonReader() {}

  /**
   * Reads the results of a file: a single result, or several on one line each, with any prefix that
   * a log adds, such as the output of {@code kubectl logs}.
   *
   * @throws IOException if the file cannot be read or holds none; the message names it and says
   *     what is wrong with it
   */
  public static List<LoadResult> read(Path file) throws IOException {
    List<LoadResult> results = find(file);
    return results.isEmpty()
        ? List.of(read(file.toString(), String.join("\n", ResultFile.lines(file))))
        : results;
  }

  /**
   * The same for a file that may hold none.
   *
   * @throws IOException if the file cannot be read, or holds an incomplete result
   */
  public static List<LoadResult> find(Path file) throws IOException {
    List<LoadResult> results = new ArrayList<>();
    int number = 0;
    for (String line : ResultFile.lines(file)) {
      number++;
      if (line.startsWith(LINE)) {
        results.add(read(file + ":" + number, line));
      }
    }
    return results;
  }

  /** Reads one result; {@code source} names it in messages. */
  public static LoadResult read(String source, String text) throws IOException {
    try {
      return parse(source, JSON.std.mapFrom(text));
    } catch (JacksonException | ClassCastException e) {
      throw new IOException(
          source + " is not a result of a load: it is not a JSON object, or an incomplete one;"
              + " heddle load --json writes one",
          e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IOException(source + " is not a result of a load: " + e.getMessage(), e);
    }
  }

  private static LoadResult parse(String source, Map<String, Object> map) {
    Fields all = new Fields(map);
    if (!all.has("format") || !LoadJson.FORMAT.equals(all.text("format"))) {
      throw new IllegalArgumentException("its format is not " + LoadJson.FORMAT
          + ": heddle load --json writes one that can be merged");
    }
    if (all.whole("version") != LoadJson.VERSION) {
      throw new IllegalArgumentException("it has version " + all.whole("version") + ", not "
          + LoadJson.VERSION + ": run the load again with this release");
    }
    LoadShape shape = shape(all.object("plan"), Segment.parse(all.text("segment")));
    return new LoadResult(
        source,
        target(all.object("plan"), shape),
        report(all, shape),
        all.text("host"),
        all.whole("processes"));
  }

  /** The fields of the plan that are not in the shape. */
  private static Map<String, Object> target(Fields plan, LoadShape shape) {
    var target = new LinkedHashMap<String, Object>();
    Map<String, Object> ofShape = LoadJson.plan(Map.of(), shape);
    plan.map().forEach((key, value) -> {
      if (!ofShape.containsKey(String.valueOf(key))) {
        target.put(String.valueOf(key), value);
      }
    });
    return target;
  }

  private static LoadShape shape(Fields plan, Segment segment) {
    Extent extent = plan.has("requests")
        ? new Extent.Requests(plan.number("requests").longValue())
        : new Extent.Lasting(duration(plan, "seconds"));
    return new LoadShape(
        pace(plan),
        extent,
        duration(plan, "warmUpSeconds"),
        Strand.parse(plan.text("strand")),
        segment);
  }

  private static Pace pace(Fields plan) {
    if (plan.has("callers")) {
      var think = new Think(
          duration(plan, "thinkSeconds"),
          plan.flag("thinkExponential"),
          plan.number("thinkSeed").longValue());
      return new Pace.Closed(plan.whole("callers"), think);
    }
    if (plan.has("stages")) {
      List<Stage> stages = plan.objects("stages").stream()
          .map(stage -> new Stage(
              stage.number("from").doubleValue(),
              stage.number("to").doubleValue(),
              duration(stage, "seconds")))
          .toList();
      return new Pace.Open(
          new RateCurve(stages),
          Pace.Arrivals.valueOf(plan.text("arrivals")),
          plan.number("seed").longValue(),
          plan.whole("inFlight"),
          plan.whole("maxInFlight"));
    }
    return plan.has("batch")
        ? new Pace.Batch(plan.whole("batch"))
        : new Pace.Held(plan.whole("hold"));
  }

  private static Duration duration(Fields fields, String name) {
    return Duration.ofNanos(Math.round(fields.number(name).doubleValue() * 1e9));
  }

  private static LoadReport report(Fields all, LoadShape shape) {
    LoadReport.Distributions recorded = distributions(all.object("histograms"));
    long answered = all.number("answered").longValue();
    if (recorded.response().count() != answered) {
      throw new IllegalArgumentException("its histogram of response holds "
          + recorded.response().count() + ", and " + answered + " were answered");
    }
    return new LoadReport(
        shape,
        duration(all, "seconds"),
        answered,
        all.number("bodyBytes").longValue(),
        all.number("requestsPerSecond").doubleValue(),
        recorded.response().latency(),
        recorded.service().latency(),
        recorded.sendLag().latency(),
        all.objects("errorsByCause").stream().map(LoadJsonReader::error).toList(),
        all.number("dropped").longValue(),
        all.text("cutShort"),
        all.texts("doubts"),
        all.has("generator") ? generator(all.object("generator")) : null,
        all.has("batches") ? batches(all.object("batches"), recorded) : null,
        all.has("held") ? held(all.object("held")) : null,
        recorded,
        sending(all));
  }

  private static LoadReport.Distributions distributions(Fields histograms) {
    return new LoadReport.Distributions(
        histogram(histograms, "response"),
        histogram(histograms, "service"),
        histogram(histograms, "sendLag"),
        histogram(histograms, "handOver"),
        histogram(histograms, "completion"));
  }

  private static LoadReport.Sending sending(Fields all) {
    return new LoadReport.Sending(
        Instant.parse(all.text("begin")),
        all.number("sent").longValue(),
        all.number("sendingSeconds").doubleValue());
  }

  private static Distribution histogram(Fields histograms, String name) {
    try {
      return Distribution.parse(histograms.text(name));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("histograms." + name + ": " + e.getMessage(), e);
    }
  }

  private static ErrorCause error(Fields error) {
    return new ErrorCause(
        FailureKind.ofLabel(error.text("kind")),
        error.text("phase"),
        error.text("cause"),
        error.number("count").longValue(),
        error.text("example"));
  }

  private static GeneratorCost generator(Fields cost) {
    return new GeneratorCost(
        duration(cost, "wallSeconds"),
        duration(cost, "cpuSeconds"),
        cost.whole("cores"),
        duration(cost, "collectingSeconds"),
        duration(cost, "stalledSeconds"),
        Duration.ofNanos(Math.round(cost.number("longestStallMillis").doubleValue() * 1e6)));
  }

  private static LoadReport.Batches batches(Fields batches, LoadReport.Distributions recorded) {
    return new LoadReport.Batches(
        batches.number("count").longValue(),
        batches.whole("size"),
        batches.number("requests").longValue(),
        duration(batches, "handingOverSeconds"),
        recorded.handOver().latency(),
        recorded.completion().latency());
  }

  private static LoadReport.Held held(Fields held) {
    return new LoadReport.Held(
        held.whole("asked"),
        held.whole("begun"),
        held.number("most").longValue(),
        held.number("atEnd").longValue(),
        duration(held, "beginningSeconds"),
        duration(held, "reachedAfterSeconds"),
        held.text("why"));
  }
}
