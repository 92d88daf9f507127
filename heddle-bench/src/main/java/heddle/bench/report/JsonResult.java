package heddle.bench.report;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Effects;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.RecordingJson;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import heddle.bench.result.Story;
import heddle.load.cluster.merge.Fields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.jr.ob.JSON;

/** Reads the output of {@link JsonReport}; medians and effects are computed from the runs. */
public final class JsonResult {

  private JsonResult() {}

  /**
   * Reads the result of a race.
   *
   * @throws IOException if the file cannot be read or is not a result; the message names it and
   *     says what is wrong
   */
  public static RaceResult read(Path file) throws IOException {
    String text;
    try {
      text = Files.readString(file, StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      throw new IOException(file + ": there is no such file", e);
    } catch (IOException e) {
      throw new IOException(file + " cannot be read: " + e, e);
    }
    try {
      return parse(new Fields(JSON.std.mapFrom(text)));
    } catch (JacksonException | ClassCastException e) {
      throw new IOException(
          file
              + " is not a result of a race: it is not a JSON object;"
              + " heddle race --json writes one",
          e);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a result of a race: " + e.getMessage(), e);
    }
  }

  private static RaceResult parse(Fields all) {
    if (!all.has("format")) {
      throw new IllegalArgumentException(
          "it does not say \"format\": \"" + JsonReport.FORMAT + "\" as heddle race --json does");
    }
    String format = all.text("format");
    if (!format.equals(JsonReport.FORMAT)) {
      throw new IllegalArgumentException("its format is " + format);
    }
    int version = all.whole("version");
    if (version != JsonReport.VERSION) {
      throw new IllegalArgumentException("it has version " + version + " of the format, and this"
          + " heddle reads " + JsonReport.VERSION + ": run the race again");
    }
    Environment environment = environment(all.object("environment"));
    List<Measurement> results = new ArrayList<>();
    all.objects("results").forEach(each -> results.add(measurement(each)));
    return new RaceResult(
        environment,
        Effects.of(results, environment.design()),
        all.texts("failures"),
        all.texts("omissions"),
        all.has("story") ? story(all.object("story")) : null,
        // Older files lack it, and only mention it in the omissions.
        all.has("partial") && all.flag("partial"));
  }

  private static Story story(Fields fields) {
    List<Story.Then> then = fields.objects("then").stream()
        .map(each -> new Story.Then(each.text("who"), each.text("what"), each.text("value")))
        .toList();
    return new Story(
        fields.text("name"),
        fields.text("title"),
        fields.text("shows"),
        fields.number("scale").doubleValue(),
        then);
  }

  private static Environment environment(Fields fields) {
    return new Environment(
        fields.text("date"),
        fields.text("jdk"),
        fields.text("os"),
        fields.text("cpu"),
        fields.whole("cores"),
        fields.text("serverCores"),
        fields.text("clientCores"),
        fields.texts("jvmFlags"),
        fields.textsByName("versions"),
        fields.textsByName("servers"),
        new Design(
            Method.valueOf(fields.text("method").toUpperCase(Locale.ROOT)),
            fields.text("profile"),
            fields.whole("rounds"),
            fields.number("seed").longValue(),
            fields.text("baseline"),
            fields.flag("hasControl")),
        fields.number("wallSeconds").doubleValue());
  }

  private static Measurement measurement(Fields fields) {
    CellInfo cell = new CellInfo(
        fields.text("cell"),
        fields.text("protocol"),
        fields.flag("tls"),
        fields.whole("connections"),
        fields.whole("streams"),
        fields.text("method"),
        fields.text("path"),
        fields.number("contentBytes").longValue(),
        LoadKind.of(fields.text("load")),
        fields.whole("inFlight"));
    List<Run> runs = fields.objects("runs").stream().map(JsonResult::run).toList();
    return Medians.of(cell, fields.text("client"), runs);
  }

  private static Run run(Fields fields) {
    Map<Figure, Double> values = new EnumMap<>(Figure.class);
    fields.object("figures").numbers().forEach((key, value) -> {
      Figure figure = Figure.find(key);
      if (figure == null) {
        throw new IllegalArgumentException("there is no figure " + key);
      }
      values.put(figure, value.doubleValue());
    });
    Map<String, Long> errors = new TreeMap<>();
    fields
        .object("errorsByCause")
        .numbers()
        .forEach((key, value) -> errors.put(key, value.longValue()));
    return new Run(
        fields.whole("round"),
        new RunFigures(values, errors),
        soundness(fields),
        RecordingJson.read(fields.object("recording").map()));
  }

  private static Soundness soundness(Fields fields) {
    List<String> reasons = fields.texts("reasons");
    return switch (fields.text("validity")) {
      case "valid" -> new Soundness.Valid();
      case "noisy" -> new Soundness.Noisy(reasons);
      case "invalid" -> new Soundness.Invalid(reasons);
      default -> throw new IllegalArgumentException("a run is not " + fields.text("validity"));
    };
  }
}
