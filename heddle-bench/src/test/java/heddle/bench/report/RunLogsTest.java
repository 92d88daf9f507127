package heddle.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Recording;
import heddle.bench.result.Recordings;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import heddle.load.record.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogsTest {

  private static final CellInfo CELL =
      new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/", 6, LoadKind.CLOSED, 64);

  @TempDir
  private Path folder = Path.of("");

  private static Run run(int round, Soundness soundness, Recording recording) {
    return new Run(round, new RunFigures(Map.of(), Map.of()), soundness, recording);
  }

  private static RaceResult race(Measurement... measurements) {
    Design design = new Design(Method.WARM, "tuned", 2, 1, "heddle", true);
    Environment environment =
        new Environment("", "", "", "", 2, "", "", List.of(), Map.of(), Map.of(), design, 1);
    return new RaceResult(environment, List.of(measurements), List.of(), List.of());
  }

  @Test
  void logOfAClientAddsUpToWhatItsRunsHaveRecorded() throws IOException {
    Measurement heddle = Medians.of(
        CELL,
        "heddle",
        List.of(
            run(1, new Soundness.Valid(), Recordings.of(1, 8)),
            run(2, new Soundness.Invalid(List.of("stolen\ntime")), Recordings.of(2, 8)),
            run(3, new Soundness.Valid(), Recordings.of(3, 4))));
    RaceResult race = race(heddle);
    List<Path> written = RunLogs.write(race, folder.resolve("a/b"));
    assertEquals(
        List.of("h1-64.heddle.hlog"),
        written.stream().map(file -> file.getFileName().toString()).toList());
    assertEquals(sum(heddle, Recording::response), tagged("response", written.getFirst()));
    assertEquals(sum(heddle, Recording::service), tagged("service", written.getFirst()));
    assertEquals(sum(heddle, Recording::sendLag), tagged("lag", written.getFirst()));
    String log = Files.readString(written.getFirst());
    assertTrue(log.contains("round 2 does not count: stolen time"), log);
    assertTrue(log.contains("Tag=response,0.000,2.000"), log);
    assertTrue(log.contains("Tag=response,2.000,1.000"), log);
  }

  @Test
  void clientsThatDifferOnlyInWhatAFileCannotBeCalledHaveFilesOfTheirOwn() throws IOException {
    List<Run> runs = List.of(run(1, new Soundness.Valid(), Recordings.of(1, 1)));
    List<Path> written = RunLogs.write(
        race(
            Medians.of(CELL, "heddle(control)", runs),
            Medians.of(CELL, "heddle/control", runs),
            Medians.of(CELL, "wrk", List.of(run(1, new Soundness.Valid(), Recording.NONE)))),
        folder);
    assertEquals(
        List.of("h1-64.heddle_control.hlog", "h1-64.heddle_control-2.hlog"),
        written.stream().map(file -> file.getFileName().toString()).toList());
  }

  @Test
  void folderThatCannotBeMadeIsNamed() throws IOException {
    Path file = Files.writeString(folder.resolve("taken"), "");
    IOException thrown =
        assertThrows(IOException.class, () -> RunLogs.write(race(), file.resolve("x")));
    assertTrue(String.valueOf(thrown.getMessage()).contains("taken"), thrown::toString);
  }

  /** The sum over the runs that count. */
  private static Distribution sum(
      Measurement measurement, Function<Recording, Distribution> which) {
    return Distribution.sum(
        measurement.counted().stream().map(Run::recording).map(which).toList());
  }

  private static Distribution tagged(String tag, Path file) throws IOException {
    List<Distribution> parts = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      for (EncodableHistogram each = reader.nextIntervalHistogram();
          each != null;
          each = reader.nextIntervalHistogram()) {
        if (tag.equals(each.getTag())) {
          Histogram histogram = (Histogram) each;
          histogram.setTag(null);
          parts.add(Distribution.of(histogram));
        }
      }
    }
    return Distribution.sum(parts);
  }
}
