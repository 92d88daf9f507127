package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.report.JsonReport;
import heddle.bench.result.CellInfo;
import heddle.bench.result.Design;
import heddle.bench.result.Environment;
import heddle.bench.result.Figure;
import heddle.bench.result.LoadKind;
import heddle.bench.result.Medians;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.RunFigures;
import heddle.bench.result.Soundness;
import heddle.bench.result.Story;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFolderTest {

  @TempDir
  private Path home;

  @Test
  void pageLeadsToTheExperimentsInTheOrderOfTheListAndOnesOwnLast() throws Exception {
    ReportFolder folder = open("mine", "search", "held", "batch");
    for (String each : List.of("mine", "search", "held")) {
      folder.finished(leave(each, false));
    }
    Document page = written(folder);
    assertEquals(List.of("held", "search", "batch", "mine"), names(page));
    assertEquals(List.of("sound", "sound", "not run", "sound"), states(page));
    List<String> links = page.select(".links a").eachAttr("href");
    assertEquals(List.of("held/race.html", "held/race.json", "held/race.csv"), links.subList(0, 3));
    for (String each : links) {
      assertTrue(Files.exists(home.resolve("report").resolve(each)), each);
    }
  }

  @Test
  void whatEarlierRacesHaveLeftStaysOnThePage() throws Exception {
    leave("pool", true);
    leave("search", false);
    ReportFolder folder = open("pool", "held");
    Document before = written(folder);
    assertEquals(List.of("held", "pool", "search"), names(before));
    assertEquals(List.of("not run", "partial sound", "sound"), states(before));
    folder.finished(leave("pool", false));
    folder.failed(story("held"), "no such client.");
    folder.failed(story("search"), "no such client.");
    Document after = written(folder);
    assertEquals(List.of("failed", "sound", "failed sound"), states(after));
    assertEquals("It failed. no such client.", after.select("#of-held .cut").text());
  }

  @Test
  void resultThatCannotBeReadIsNamedWithTheReason() throws Exception {
    leave("pool", false);
    Path json = home.resolve("report/pool/race.json");
    Files.writeString(
        json, Files.readString(json).replaceFirst("\"version\" : [0-9]+", "\"version\" : 1"));
    Document page = written(open("held"));
    assertEquals(List.of("held", "pool"), names(page));
    assertTrue(page.select("#of-pool .cut").text().contains("version 1"), page.text());
    assertEquals(3, page.select("#of-pool .links a").size());
  }

  @Test
  void raceOfCellsIsNoExperiment() throws Exception {
    RaceResult told = leave("pool", false);
    RaceResult cells = new RaceResult(told.environment(), told.results(), List.of(), List.of());
    Files.writeString(home.resolve("report/pool/race.json"), JsonReport.render(cells));
    assertEquals(List.of("held"), names(written(open("held"))));
  }

  @Test
  void nameThatLooksLikeASchemeIsLinkedAsAFile() throws Exception {
    ReportFolder folder = open("my: own");
    folder.finished(leave("my: own", false));
    assertEquals(
        "my%3A%20own/race.html", written(folder).select(".links a").first().attr("href"));
  }

  @Test
  void folderThatIsAFileIsRefused() throws Exception {
    Files.writeString(home.resolve("report"), "");
    RaceException refused = assertThrows(RaceException.class, () -> open("pool"));
    assertTrue(String.valueOf(refused.getMessage()).contains("report"), refused::toString);
  }

  private ReportFolder open(String... names) throws RaceException {
    return ReportFolder.of(
        home.resolve("report"), List.of(names).stream().map(each -> story(each)).toList());
  }

  private static Document written(ReportFolder folder) throws Exception {
    folder.write();
    return Jsoup.parse(Files.readString(folder.page()));
  }

  private static List<String> names(Document page) {
    return page.select(".overview tbody th").eachText();
  }

  private static List<String> states(Document page) {
    return page.select(".overview tbody .state").eachText();
  }

  private static Story story(String name) {
    return new Story(name, "What " + name + " does", "A queue.", 0.1, List.of(), null);
  }

  /** As a race leaves it. */
  private RaceResult leave(String name, boolean isPartial) throws IOException {
    Environment environment = new Environment(
        "2026-01-02T03:04:05Z",
        "JVM",
        "Linux",
        "CPU",
        2,
        "0",
        "1",
        List.of(),
        Map.of(),
        Map.of(),
        new Design(Method.FRESH, "tuned", 1, 1, "heddle", false),
        61);
    CellInfo cell =
        new CellInfo("h1-64", "HTTP/1.1", false, 64, 1, "GET", "/hello", 6, LoadKind.CLOSED, 64);
    RunFigures figures = new RunFigures(Map.of(Figure.CPU, 10.0), Map.of());
    RaceResult result = new RaceResult(
        environment,
        List.of(Medians.of(cell, "heddle", List.of(new Run(1, figures, new Soundness.Valid())))),
        List.of(),
        List.of(),
        story(name),
        isPartial);
    RaceOutputs outputs = ReportFolder.outputs(home.resolve("report"), story(name));
    Files.createDirectories(outputs.html().getParent());
    Files.writeString(outputs.json(), JsonReport.render(result));
    for (String each : List.of("race.html", "race.csv")) {
      Files.writeString(outputs.json().resolveSibling(each), "");
    }
    return result;
  }
}
