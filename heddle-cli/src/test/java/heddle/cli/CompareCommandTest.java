package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.report.JsonReport;
import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Measurement;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {

  private static final CellInfo CELL =
      new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64);

  @TempDir
  private Path folder;

  @Test
  void eachFigureHasItsRatioAndItsVerdict() throws IOException {
    Path before = race("a.json", "5.0", client("heddle", 10, 1_000), client("okhttp", 40, 9_000));
    Path after = race("b.json", "5.5", client("heddle", 5, 1_000), client("jdk", 40, 9_000));
    Ran ran = Ran.of("compare", before.toString(), after.toString());
    assertEquals(0, ran.code(), ran::err);
    String cpu = line(ran, "cpuMicrosPerRequest");
    assertTrue(cpu.matches(".* 10\\.00 +5\\.00 +0\\.500 .*faster"), cpu);
    String allocated = line(ran, "allocatedBytesPerRequest");
    assertTrue(allocated.matches(".* 1,000 +1,000 +1\\.000 .*"), allocated);
    assertTrue(ran.out().contains("okhttp in h1-64: only in the first"), ran::out);
    assertTrue(ran.out().contains("jdk in h1-64: only in the second"), ran::out);
    assertTrue(ran.out().contains("differs: version of okhttp: 5.0 before, 5.5 after"), ran::out);
  }

  @Test
  void alikeFiguresAreNoDifference() throws IOException {
    Path before = race("a.json", "5", client("heddle", 10, 1_000));
    Path after = race("b.json", "5", client("heddle", 10.2, 1_001));
    Ran ran = Ran.of("compare", before.toString(), after.toString());
    assertTrue(line(ran, "cpuMicrosPerRequest").endsWith("no difference"), ran::out);
    assertTrue(ran.out().contains("Nothing differs in their surroundings"), ran::out);
  }

  @Test
  void fileThatIsNoResultIsNamedWithWhatIsWrongWithIt() throws IOException {
    Path good = race("a.json", "5", client("heddle", 10, 1_000));
    compare(good, folder.resolve("none.json")).assertFailed("none.json", "no such file");
    compare(write("text.json", "a, b\n"), good).assertFailed("text.json", "not a result of a race");
    compare(write("list.json", "[1]"), good).assertFailed("list.json", "not a result of a race");
    compare(good, write("other.json", "{\"results\": []}"))
        .assertFailed("other.json", "heddle-race");
    String text = Files.readString(good);
    compare(good, write("old.json", text.replaceFirst("\"version\" : [0-9]+", "\"version\" : 1")))
        .assertFailed("old.json", "version 1", "run the race again");
    compare(good, write("lack.json", text.replaceFirst("\"jdk\"", "\"jvm\"")))
        .assertFailed("lack.json", "it lacks environment.jdk");
    // The first key of a run's own figures stands behind the last mention of them.
    int figures = text.lastIndexOf("\"figures\"");
    String odd =
        text.substring(0, figures) + text.substring(figures).replace("cpuMicrosPerRequest", "mood");
    compare(good, write("odd.json", odd)).assertFailed("odd.json", "mood");
    Ran.of("compare", good.toString()).assertRefused("B.json");
  }

  @Test
  void raceThatWasStoppedIsSaidToBePartial() throws IOException {
    Path whole = race("a.json", "5", client("heddle", 10, 1_000));
    Path cut = write(
        "cut.json",
        Files.readString(whole).replaceFirst("\"partial\" : false", "\"partial\" : true"));
    Ran ran = compare(whole, cut);
    assertTrue(ran.out().contains("the second is partial: "), ran::out);
    assertFalse(ran.out().contains("the first is partial"), ran::out);
  }

  private static Ran compare(Path one, Path other) {
    return Ran.of("compare", one.toString(), other.toString());
  }

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static String line(Ran ran, String figure) {
    return ran.out()
        .lines()
        .filter(each -> each.contains(figure))
        .findFirst()
        .orElse("no " + figure + " in " + ran);
  }

  private Path race(String name, String okhttp, Measurement... measurements) throws IOException {
    Environment environment = new Environment(
        "2026-01-02T03:04:05Z",
        "JVM",
        "Linux",
        "CPU",
        2,
        "0",
        "1",
        List.of("-Xmx512m"),
        Map.of("okhttp", okhttp),
        Map.of(),
        new Design(Method.FRESH, "tuned", 8, 1, "heddle", false),
        1);
    RaceResult result = new RaceResult(environment, List.of(measurements), List.of(), List.of());
    return write(name, JsonReport.render(result));
  }

  private static Measurement client(String name, double cpu, double allocated) {
    List<Run> runs = new ArrayList<>();
    for (int round = 1; round <= 8; round++) {
      RunFigures figures = new RunFigures(
          Map.of(Figure.CPU, cpu * (1 + 0.001 * (round % 3 - 1)), Figure.ALLOCATED, allocated),
          Map.of());
      runs.add(new Run(round, figures, new Soundness.Valid()));
    }
    return Medians.of(CELL, name, runs);
  }
}
