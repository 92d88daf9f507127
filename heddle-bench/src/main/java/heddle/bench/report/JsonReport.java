package heddle.bench.report;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Effect;
import heddle.bench.result.Effects;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.Story;
import heddle.bench.stats.Interval;
import heddle.load.cluster.json.Json;
import heddle.load.cluster.merge.LoadJson;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The result of a race as JSON. */
public final class JsonReport {

  private static final String FORMAT = "heddle-race";

  /** A reader accepts only its own version. */
  private static final int VERSION = 4;

  private JsonReport() {}

  /** All that is in a file. */
  private record Document(
      String format,
      int version,
      boolean partial,
      Environment environment,
      @Nullable Story story,
      List<Result> results,
      List<String> failures,
      List<String> omissions,
      List<String> doubts) {}

  /** A client in a cell. What can be computed from its runs is ignored when it is read. */
  private record Result(
      CellInfo cell,
      String client,
      int rounds,
      Map<Figure, @Nullable Double> medians,
      long errors,
      Map<String, Long> errorsByCause,
      boolean heldToConnections,
      String validity,
      List<String> reasons,
      List<Compared> effects,
      List<Run> runs) {

    static Result of(Measurement measurement) {
      Map<Figure, @Nullable Double> medians = new LinkedHashMap<>();
      for (Figure figure : Figure.values()) {
        medians.put(figure, measurement.of(figure));
      }
      return new Result(
          measurement.cell(),
          measurement.client(),
          measurement.counted().size(),
          medians,
          measurement.errors(),
          measurement.errorsByCause(),
          measurement.isHeldToItsConnections(),
          measurement.soundness().label(),
          measurement.soundness().reasons(),
          measurement.effects().stream().map(Compared::of).toList(),
          measurement.runs());
    }
  }

  /** An effect compared with the baseline. */
  private record Compared(
      Figure figure,
      double ratio,
      Interval interval,
      int rounds,
      @Nullable Double resolution,
      String verdict,
      String reason) {

    static Compared of(Effect effect) {
      return new Compared(
          effect.figure(),
          effect.ratio().median(),
          effect.ratio().interval(),
          effect.ratio().count(),
          effect.resolution() == null ? null : effect.resolution().share(),
          effect.label(),
          effect.verdict().reason());
    }
  }

  /**
   * An object with the environment, whether it is partial, the list {@code "results"} and the
   * failures. Each result is a client in a cell: the medians by the keys of {@link Figure} (null if
   * there is none), all runs with the doubts about each, and the effects compared with the
   * baseline. Ends with a line break.
   */
  public static String render(RaceResult result) {
    return Json.pretty(new Document(
        FORMAT,
        VERSION,
        result.isPartial(),
        result.environment(),
        result.story(),
        result.results().stream().map(Result::of).toList(),
        result.failures(),
        result.omissions(),
        result.doubts()));
  }

  /**
   * Reads the result of a race; medians and effects are computed from the runs.
   *
   * @throws IOException if the file cannot be read or is not a result; the message names it and
   *     says what is wrong
   */
  public static RaceResult read(Path file) throws IOException {
    String text = LoadJson.text(file);
    try {
      LoadJson.requireFormat(text, FORMAT, VERSION, "race");
      Document all = Json.read(text, Document.class);
      List<Measurement> results = all.results.stream()
          .map(each -> Medians.of(each.cell, each.client, each.runs))
          .toList();
      return new RaceResult(
          all.environment,
          Effects.of(results, all.environment.design()),
          all.failures,
          all.omissions,
          all.story,
          all.partial);
    } catch (IllegalArgumentException e) {
      throw new IOException(file + " is not a result of a race: " + e.getMessage(), e);
    }
  }
}
