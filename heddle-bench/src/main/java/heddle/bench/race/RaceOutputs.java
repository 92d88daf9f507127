package heddle.bench.race;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a race writes its result.
 *
 * @param json all of it, as {@code heddle compare} reads it
 * @param html as a page
 * @param csv a row for each run; null for none
 * @param logs a folder for a log of HdrHistogram for each client in each cell; null for none
 */
public record RaceOutputs(Path json, Path html, @Nullable Path csv, @Nullable Path logs) {

  /** race.json and race.html in the working directory. */
  public static final RaceOutputs DEFAULT =
      new RaceOutputs(Path.of("race.json"), Path.of("race.html"), null, null);

  /** race.json, race.html, race.csv and the logs in a folder. */
  public static RaceOutputs in(Path folder) {
    return new RaceOutputs(
        folder.resolve("race.json"),
        folder.resolve("race.html"),
        folder.resolve("race.csv"),
        folder);
  }

  /** These, with those files in place of its own that are named. */
  public RaceOutputs with(
      @Nullable Path otherJson, @Nullable Path otherHtml, @Nullable Path otherCsv) {
    return new RaceOutputs(
        otherJson == null ? json : otherJson,
        otherHtml == null ? html : otherHtml,
        otherCsv == null ? csv : otherCsv,
        logs);
  }
}
