package heddle.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.contender.Entrant;
import heddle.bench.driver.Protocol;
import heddle.bench.driver.Trust;
import heddle.bench.result.Figure;
import heddle.bench.result.Method;
import heddle.bench.result.Story;
import heddle.bench.server.Servers.Counting;
import heddle.bench.server.Servers.Endpoint;
import heddle.bench.tool.Tool;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import heddle.load.schedule.Strand;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ExperimentReaderTest {

  private static final String HEAD =
      """
      name: mine
      title: What I want to know
      shows: something
      scale: 0.5
      entrants:
        - clients: [heddle, okhttp]
      """;

  private static final String CELL =
      """
      cells:
        - name: hello
          connections: 8
          get: /hello
          answer: 6 B
          load: {callers: 8}
          for: 10 s scaled
      """;

  @Test
  void everythingHasADefaultThatAQuestionNeedNotAnswer() throws ExperimentException {
    Experiment read = read(HEAD + CELL, null);
    assertEquals("mine", read.story().name());
    assertEquals(0.5, read.story().scale());
    assertEquals(Method.FRESH, read.method());
    assertEquals(5, read.rounds());
    assertEquals("heddle", read.baseline());
    assertEquals(
        List.of("heddle", "okhttp"), read.entrants().stream().map(Entrant::name).toList());
    Cell cell = read.cells().getFirst();
    assertEquals(Protocol.HTTP_1_1, cell.protocol());
    assertEquals(new Pace.Closed(8), cell.pace());
    Times times = cell.times();
    assertNotNull(times);
    assertEquals(new Extent.Lasting(Duration.ofSeconds(5)), times.extent());
  }

  @Test
  void askedScaleComesBeforeThatOfTheFile() throws ExperimentException {
    Cell cell = read(HEAD + CELL, 0.1).cells().getFirst();
    Times times = cell.times();
    assertNotNull(times);
    assertEquals(new Extent.Lasting(Duration.ofSeconds(1)), times.extent());
  }

  @Test
  void clientsRaceOnEachStrandInEachProfile() throws ExperimentException {
    String text = HEAD.replace(
            "okhttp]",
            "okhttp]\n    strands: [virtual, 'pool:50']\n    profiles: [tuned, defaults]")
        + CELL;
    List<Entrant> entrants = read(text, null).entrants();
    assertEquals(
        List.of("heddle", "heddle@defaults", "heddle@pool:50", "heddle@pool:50@defaults"),
        entrants.stream().limit(4).map(Entrant::name).toList());
    assertEquals(new Strand.Pool(50), entrants.get(2).strand());
    assertEquals(8, entrants.size());
  }

  @Test
  void clientsMayTakePartInSomeCellsAlone() throws ExperimentException {
    String some = HEAD.replace("okhttp]", "okhttp]\n  - clients: jdk\n    cells: hello") + CELL;
    Entrant jdk = read(some, null).entrants().getLast();
    assertTrue(jdk.isIn("hello") && !jdk.isIn("other"));
    Entrant okhttp = read(some, null).entrants().get(1);
    assertTrue(okhttp.isIn("hello") && okhttp.isIn("other"));
  }

  @Test
  void loadGeneratorsInCTakePartByName() throws ExperimentException {
    Experiment read = read(HEAD + "tools: [wrk, h2load]\n" + CELL, null);
    assertEquals(List.of("wrk", "h2load"), read.tools().stream().map(Tool::name).toList());
    assertRefused("tools: wrq\n" + CELL, "tools", "wrq", "choose among wrk, h2load");
  }

  @Test
  void chartNamesItsFigureAndItsCells() throws ExperimentException {
    assertNull(read(HEAD + CELL, null).story().chart());
    assertEquals(
        new Story.Chart(Figure.MEAN, List.of()),
        read(HEAD + "chart: {figure: meanMicros}\n" + CELL, null).story().chart());
    assertEquals(
        new Story.Chart(Figure.CPU, List.of("hello")),
        read(HEAD + "chart: {figure: cpuMicrosPerRequest, cells: hello}\n" + CELL, null)
            .story()
            .chart());
    assertRefused("chart: {figure: mean}\n" + CELL, ":7: figure", "cpuMicrosPerRequest");
    assertRefused("chart: {figure: meanMicros, cells: hallo}\n" + CELL, ":7: cells", "hello");
  }

  @Test
  void onlyHeddleRacesWithoutAnOptimisation() throws ExperimentException {
    String some = HEAD.replace(
            "okhttp]", "okhttp]\n  - {clients: heddle-async, name: less, without: [one, two]}")
        + CELL;
    List<Entrant> entrants = read(some, null).entrants();
    assertEquals(List.of("one", "two"), entrants.getLast().without());
    assertEquals(List.of(), entrants.getFirst().without());
    String other = HEAD.replace("okhttp]", "okhttp]\n    without: one") + CELL;
    assertMessage(other, "without", "heddle, heddle-async, heddle-discard");
  }

  @Test
  void whatRacesFromAScaleOnIsLeftOutBelowIt() throws ExperimentException {
    String text =
        HEAD.replace("okhttp]", "okhttp]\n  - {clients: jdk, cells: large-9, from-scale: 0.6}")
            + CELL
            + """
          - name: "large-{callers}"
            each: {callers: [9]}
            from-scale: 0.6
            get: /hello
            load: {callers: "{callers}"}
            for: 1 s
        """;
    Experiment small = read(text, 0.59);
    assertEquals(
        List.of("heddle", "okhttp"),
        small.entrants().stream().map(Entrant::name).toList());
    assertEquals(List.of("hello"), small.cells().stream().map(Cell::label).toList());
    Experiment large = read(text, 0.6);
    assertEquals("jdk", large.entrants().getLast().name());
    assertEquals("large-9", large.cells().getLast().label());
  }

  @Test
  void whatIsLeftOutIsCheckedAllTheSame() {
    assertMessage(HEAD + CELL + "    from-scale: much\n", "from-scale", "much");
    assertMessage(HEAD + CELL + "    from-scale: 0.6\n", "cells", "at scale 0.5", "from-scale");
    assertMessage(HEAD + CELL + "    from-scale: 0.6\n    gett: /hello\n", "gett");
    String baseline = HEAD.replace("okhttp]", "okhttp]\nbaseline: jdk\n");
    assertMessage(baseline + CELL, "jdk does not race");
  }

  @Test
  void cellsInWhichNobodyCanTakePartAreRefused() {
    String unknown = HEAD.replace("okhttp]", "okhttp]\n    cells: nowhere") + CELL;
    assertMessage(unknown, "nowhere", "hello");
    String baseline = HEAD.replace("okhttp]", "okhttp]\n    cells: hello") + CELL;
    assertMessage(baseline, "heddle is the baseline");
  }

  @Test
  void eachMakesACellOfEveryCombination() throws ExperimentException {
    String text = HEAD
        + """
        cells:
          - name: "{wire}-{bytes}"
            each: {wire: [h2, h2tls], bytes: [1, 1024]}
            wire: "{wire}"
            streams: 10
            get: "/bytes/{bytes}"
            answer: "{bytes} B"
            load: {batch: 10}
            times: 3
        """;
    List<Cell> cells = read(text, null).cells();
    assertEquals(
        List.of("h2-1", "h2-1024", "h2tls-1", "h2tls-1024"),
        cells.stream().map(Cell::label).toList());
    assertEquals(Ask.get("/bytes/1024", 1_024), cells.getLast().ask());
    assertTrue(cells.getLast().tls());
    Times times = cells.getLast().times();
    assertNotNull(times);
    assertEquals(new Extent.Requests(30), times.extent());
  }

  @Test
  void connectionsMayHaveANumberOfRequestsEach() throws ExperimentException {
    String few = CELL + "    requests-per-connection: 10\n";
    assertEquals(10, read(HEAD + few, null).cells().getFirst().wire().requests());
    assertEquals(0, read(HEAD + CELL, null).cells().getFirst().wire().requests());
    assertMessage(HEAD + few + "    wire: h2\n", "requests-per-connection", "HTTP/1.1");
    assertMessage(HEAD + few + "    streams: 2\n", "requests-per-connection", "pipelining");
  }

  @Test
  void pathMayEndInANumberThatIsScaled() throws ExperimentException {
    String text = HEAD + CELL.replace("/hello", "/delay/5000 scaled");
    assertEquals("/delay/2500", read(text, null).cells().getFirst().ask().path());
  }

  @Test
  void rateMayDependOnAnotherCell() throws ExperimentException {
    String second = CELL.replace("cells:\n", "")
        .replace("name: hello", "name: reach")
        .replace("{callers: 8}", "{rate: 70% of the slowest in hello, arrivals: poisson}");
    Cell cell = read(HEAD + CELL + second, null).cells().getLast();
    assertEquals(new Share(0.7, "hello"), cell.share());
    Pace.Open open = assertInstanceOf(Pace.Open.class, cell.atRate(700).pace());
    assertEquals(700, open.rate().peak());
    assertEquals(Pace.Arrivals.POISSON, open.arrivals());
    assertRefused(CELL + second.replace("in hello", "in nowhere"), "cells: reach", "hello");
  }

  @Test
  void callersWarmAnOpenLoadUpAtTheirOwnPace() throws ExperimentException {
    String warmed =
        CELL.replace("{callers: 8}", "{rate: 100/s}") + "    warmed-by: {callers: 5, for: 3 s}\n";
    Cell cell = read(HEAD + warmed, null).cells().getFirst();
    assertTrue(cell.isWarmedUp());
    Endpoint server = new Endpoint(
        List.of(URI.create("http://127.0.0.1:1")), new Trust.Default(), "mine", Counting.REQUESTS);
    LoadPlan before =
        cell.before(server, Strand.VIRTUAL, Duration.ofSeconds(1), new Extent.Requests(1));
    assertNotNull(before);
    assertEquals(new Pace.Closed(5), before.pace());
    assertRefused(warmed.replace("{rate: 100/s}", "{callers: 8}"), ":14: warmed-by", "themselves");
  }

  @Test
  void stagesAreReadOneAfterTheOther() throws ExperimentException {
    String stages = "{stages: [{from: 100/s, for: 1 s}, {from: 100/s, to: 500/s, for: 2 s}]}";
    String text = HEAD + CELL.replace("{callers: 8}", stages);
    Pace.Open open =
        assertInstanceOf(Pace.Open.class, read(text, null).cells().getFirst().pace());
    assertEquals(500, open.rate().peak());
    assertEquals(Duration.ofSeconds(3), open.rate().duration());
  }

  @Test
  void targetTakesThePlaceOfServers() throws ExperimentException {
    String target = "target: https://example.org:8443\ntrust: everything\n";
    String tls = CELL.replace("get:", "wire: h2tls\n    get:");
    Experiment read = read(HEAD + target + tls, null);
    assertEquals(
        new Target(URI.create("https://example.org:8443"), "/", new Trust.Everything()),
        read.target());
    assertNull(read.cells().getFirst().serving());
    assertRefused(target + CELL, "wire", "h1tls or h2tls");
    assertRefused("target: example.org\n" + CELL, ":7: target", "https://example.org:8443");
    assertRefused("target: http://a/b\n" + CELL, ":7: target", "without a path");
    assertRefused("target: http://a\n" + CELL + "    server: {program: jdk}\n", ":15: server");
  }

  @Test
  void unknownKeyIsNamedWithItsLineAndThoseThatThereAre() {
    assertRefused(CELL.replace("connections", "conections"), "mine.yaml:9: conections", "wire");
    assertRefused(CELL.replace("callers: 8", "callers: 8, thnik: 5 ms"), ":12: thnik", "think");
    assertRefused(CELL + "author: me\n", ":14: author", "baseline");
  }

  @Test
  void wrongUnitIsNamedWithItsLineAndWhatIsAllowed() {
    assertRefused(CELL.replace("10 s scaled", "10"), ":13: for", "500 ms");
    assertRefused(CELL.replace("6 B", "6 bytes"), ":11: answer", "64 KiB");
    assertRefused(CELL.replace("{callers: 8}", "{rate: 1000}"), ":12: rate", "1000/s");
    assertRefused(CELL.replace("connections: 8", "connections: many"), ":9: connections", "64");
  }

  @Test
  void impossibleCombinationIsNamed() {
    assertRefused(CELL.replace("callers: 8", "callers: 8, rate: 9/s"), ":12: load", "one of");
    assertRefused(CELL.replace("get: /hello", "get: /a\n    post: /b"), ":8: cells", "one of get");
    assertRefused(CELL.replace("get: /hello", "post: /sink"), "lacks the key content");
    assertRefused(CELL.replace("callers: 8", "hold: 8") + "    warm-up: 1 s\n", ":14: warm-up");
    assertRefused(CELL.replace("callers: 8", "hold: 9"), ":12: hold", "9 cannot", "8 connections");
    String first = CELL.replace("callers: 8", "first: true").replace("    for: 10 s scaled\n", "");
    assertRefused("method: warm\n" + first, ":7: method", "fresh");
    assertRefused("baseline: curl\n" + CELL, ":7: baseline", "heddle, okhttp");
    assertRefused(CELL + CELL.replace("cells:\n", ""), "cells: there are two called hello");
  }

  @Test
  void whatIsMissingIsNamed() {
    assertRefused("", "cells");
    assertRefused(CELL.replace("    for: 10 s scaled\n", ""), ":8: cells: it lacks the key for");
    assertRefused(CELL.replace("    load: {callers: 8}\n", ""), "load");
  }

  @Test
  void whatIsNoYamlIsNamedWithItsLine() {
    assertRefused("cells: [\n", "mine.yaml:8: it is not YAML");
    assertThrows(ExperimentException.class, () -> read("", null));
    assertThrows(ExperimentException.class, () -> read("- a\n", null));
  }

  private static Experiment read(String text, @Nullable Double scale) throws ExperimentException {
    return ExperimentReader.read("mine.yaml", text, scale);
  }

  private static void assertRefused(String rest, String... parts) {
    assertMessage(HEAD + rest, parts);
  }

  private static void assertMessage(String text, String... parts) {
    String message =
        assertThrows(ExperimentException.class, () -> read(text, null)).getMessage();
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
    assertTrue(message.startsWith("mine.yaml:"), message);
  }
}
