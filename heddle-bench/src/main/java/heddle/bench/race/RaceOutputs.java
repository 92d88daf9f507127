package heddle.bench.race;

import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where a race writes its result.
 *
 * @param json the JSON file, which {@code heddle compare} reads
 * @param html the page
 * @param csv a CSV file with a row per run; null for none
 * @param logs a folder for a log of HdrHistogram per client and cell; null for none
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

  /** The answer as an image, beside the page; a race without one has none. */
  public Path chart() {
    String name = html.getFileName().toString();
    return html.resolveSibling(name.replaceFirst("[.]html?$", "") + ".svg");
  }

  /**
   * These outputs for a race that ended early, whose result must not replace that of a finished
   * one: where there is such a file already, race.partial.json and so on.
   */
  RaceOutputs ofPartial() {
    return new RaceOutputs(beside(json), beside(html), csv == null ? null : beside(csv), logs);
  }

  private static Path beside(Path file) {
    if (!Files.exists(file)) {
      return file;
    }
    String name = String.valueOf(file.getFileName());
    int end = name.lastIndexOf('.') < 1 ? name.length() : name.lastIndexOf('.');
    return file.resolveSibling(name.substring(0, end) + ".partial" + name.substring(end));
  }

  /** These outputs with the given files replaced. */
  public RaceOutputs with(
      @Nullable Path otherJson, @Nullable Path otherHtml, @Nullable Path otherCsv) {
    return new RaceOutputs(
        otherJson == null ? json : otherJson,
        otherHtml == null ? html : otherHtml,
        otherCsv == null ? csv : otherCsv,
        logs);
  }
}
