package heddle.bench.report;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Effect;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.result.RecordingJson;
import heddle.bench.result.Run;
import heddle.bench.result.Story;
import heddle.bench.stats.Interval;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** The result of a race as JSON; {@link JsonResult} reads it. */
public final class JsonReport {

  /** The value of the key {@code format}. */
  static final String FORMAT = "heddle-race";

  /** The version of the format; a reader accepts only its own. */
  static final int VERSION = 3;

  private static final JSON PRETTY =
      JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).with(JSON.Feature.WRITE_NULL_PROPERTIES);

  private JsonReport() {}

  /**
   * An object with the environment, whether it is partial, the list {@code "results"} and the
   * failures. Each result is a client in a cell: the medians by the keys of {@link Figure} (null if
   * there is none), all runs with the doubts about each, and the effects compared with the
   * baseline. Ends with a line break.
   */
  public static String render(RaceResult result) {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("format", FORMAT);
    all.put("version", VERSION);
    all.put("partial", result.isPartial());
    all.put("environment", environment(result.environment()));
    Story story = result.story();
    if (story != null) {
      all.put("story", story(story));
    }
    all.put("results", result.results().stream().map(JsonReport::measurement).toList());
    all.put("failures", result.failures());
    all.put("omissions", result.omissions());
    all.put("doubts", result.doubts());
    return PRETTY.asString(all) + "\n";
  }

  private static Map<String, Object> story(Story story) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", story.name());
    fields.put("title", story.title());
    fields.put("shows", story.shows());
    fields.put("scale", story.scale());
    fields.put(
        "then",
        story.then().stream()
            .map(each -> Map.of("who", each.who(), "what", each.what(), "value", each.value()))
            .toList());
    return fields;
  }

  private static Map<String, Object> environment(Environment environment) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("date", environment.date());
    fields.put("jdk", environment.jdk());
    fields.put("os", environment.os());
    fields.put("cpu", environment.cpu());
    fields.put("cores", environment.cores());
    fields.put("serverCores", environment.serverCores());
    fields.put("clientCores", environment.clientCores());
    fields.put("jvmFlags", environment.jvmFlags());
    fields.put("versions", environment.versions());
    fields.put("servers", environment.servers());
    Design design = environment.design();
    fields.put("method", design.method().label());
    fields.put("profile", design.profile());
    fields.put("rounds", design.rounds());
    fields.put("seed", design.seed());
    fields.put("baseline", design.baseline());
    fields.put("hasControl", design.hasControl());
    fields.put("wallSeconds", environment.wallSeconds());
    return fields;
  }

  private static Map<String, @Nullable Object> measurement(Measurement measurement) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    CellInfo cell = measurement.cell();
    fields.put("cell", cell.name());
    fields.put("protocol", cell.protocol());
    fields.put("tls", cell.tls());
    fields.put("connections", cell.connections());
    fields.put("streams", cell.streams());
    fields.put("method", cell.method());
    fields.put("path", cell.path());
    fields.put("contentBytes", cell.contentBytes());
    fields.put("load", cell.kind().label());
    fields.put("inFlight", cell.inFlight());
    fields.put("client", measurement.client());
    fields.put("rounds", measurement.counted().size());
    for (Figure figure : Figure.values()) {
      fields.put(figure.key(), measurement.of(figure));
    }
    fields.put("errors", measurement.errors());
    fields.put("errorsByCause", measurement.errorsByCause());
    fields.put("heldToConnections", measurement.isHeldToItsConnections());
    fields.put("validity", measurement.soundness().label());
    fields.put("reasons", measurement.soundness().reasons());
    fields.put("effects", measurement.effects().stream().map(JsonReport::effect).toList());
    fields.put("runs", measurement.runs().stream().map(JsonReport::run).toList());
    return fields;
  }

  private static Map<String, @Nullable Object> effect(Effect effect) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    Interval interval = effect.ratio().interval();
    fields.put("figure", effect.figure().key());
    fields.put("ratio", effect.ratio().median());
    fields.put("low", interval.low());
    fields.put("high", interval.high());
    fields.put("confidence", interval.confidence());
    fields.put("interval", interval.method().name().toLowerCase(Locale.ROOT));
    fields.put("rounds", effect.ratio().count());
    fields.put(
        "resolution", effect.resolution() == null ? null : effect.resolution().share());
    fields.put("verdict", effect.label());
    fields.put("reason", effect.verdict().reason());
    return fields;
  }

  private static Map<String, Object> run(Run run) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("round", run.round());
    fields.put("validity", run.soundness().label());
    fields.put("reasons", run.soundness().reasons());
    fields.put("errorsByCause", run.figures().errorsByCause());
    Map<String, Double> figures = new LinkedHashMap<>();
    run.figures().values().forEach((figure, value) -> figures.put(figure.key(), value));
    fields.put("figures", figures);
    fields.put("recording", RecordingJson.write(run.recording()));
    return fields;
  }
}
