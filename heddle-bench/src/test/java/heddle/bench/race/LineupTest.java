package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.contender.Entrant;
import heddle.bench.contender.JvmContender;
import heddle.bench.driver.Profile;
import heddle.bench.experiment.Experiment;
import heddle.bench.experiment.Experiments;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.server.ServerSpec.Program;
import heddle.bench.server.Servers;
import heddle.bench.worker.BlockingTestDriver;
import heddle.load.cluster.process.Cores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineupTest extends RaceFixture {

  @Test
  void entrantTakesPartInItsCellsAlone() throws Exception {
    install("test", BlockingTestDriver.class);
    String text =
        """
        name: mine
        title: Who takes part in what
        shows: entrants and cells
        rounds: 2
        method: warm
        baseline: everywhere
        entrants:
          - {clients: test, name: everywhere}
          - {clients: test, name: in the second, cells: second}
        cells:
          - {name: first, get: /hello, answer: 6 B, load: {callers: 2}, warm-up: 0 s, for: 300 ms}
          - {name: second, get: /hello, answer: 6 B, load: {callers: 3}, warm-up: 0 s, for: 300 ms}
        """;
    RaceResult result = new Race(mine(text, "everywhere")).run(progress -> {});
    assertEquals(List.of(), result.failures());
    assertEquals(
        List.of("everywhere in first", "everywhere in second", "in the second in second"),
        result.results().stream()
            .map(each -> each.client() + " in " + each.cell().name())
            .toList());
  }

  @Test
  void warmClientsGetAJvmForEachCellThatHasFlagsOfItsOwn() throws Exception {
    install("flagged", FlaggedTestDriver.class);
    String text =
        """
        name: mine
        title: What the flags of a JVM do
        shows: flags
        rounds: 2
        method: warm
        entrants:
          - clients: flagged
        cells:
          - name: "{flag}"
            each:
              flag: [small, large]
            get: "/hello?{flag}"
            answer: 6 B
            load: {callers: 2}
            warm-up: 0 s
            for: 300 ms
            jvm: "-Dheddle.test.cell={flag}"
        """;
    RaceResult result = new Race(mine(text, "flagged")).run(progress -> {});
    assertEquals(List.of(), result.failures());
    for (Measurement each : result.results()) {
      assertEquals(2, each.runs().size(), each.cell().name());
    }
    assertEquals(2, result.results().size());
  }

  @Test
  void clientsWhoseConnectionsTheServerCannotHoldTogetherTakeTurns() throws Exception {
    install("lone", LoneTestDriver.class);
    String text =
        """
        name: mine
        title: More connections than a server has descriptors
        shows: turns
        rounds: 2
        method: warm
        entrants:
          - {clients: lone, name: one, jvm: "-Dheddle.test.open=%1$s"}
          - {clients: lone, name: other, jvm: "-Dheddle.test.open=%1$s"}
        cells:
          - name: many
            connections: 8000
            get: /hello
            answer: 6 B
            load: {callers: 2}
            warm-up: 100 ms
            for: 300 ms
        """
            .formatted(home.resolve("open"));
    RaceResult result = new Race(mine(text, "one")).run(progress -> {});
    assertEquals(List.of(), result.failures());
    for (Measurement each : result.results()) {
      assertEquals(2, each.runs().size(), each.client());
    }
  }

  @Test
  void serverInCTakesPartWhereItIsInstalled() throws Exception {
    install("test", BlockingTestDriver.class);
    String text =
        """
        name: mine
        title: Servers in C
        shows: their CPU time
        rounds: 2
        method: warm
        entrants:
          - {clients: test, name: heddle}
          - {clients: test, name: nginx, server: {program: nginx}}
          - {clients: test, name: h2o, server: {program: h2o}}
        cells:
          - name: large
            get: /bytes/1048576
            answer: 1 MiB
            load: {callers: 2}
            warm-up: 0 s
            for: 300 ms
        """;
    RaceResult result = new Race(mine(text, "heddle")).run(progress -> {});
    assertEquals(List.of(), result.failures());
    for (Program each : List.of(Program.NGINX, Program.H2O)) {
      List<Double> costs = result.results().stream()
          .filter(found -> found.client().equals(each.label()))
          .flatMap(found -> found.runs().stream())
          .map(run -> run.figures().of(Figure.SERVER_CPU))
          .toList();
      if (Servers.isInstalled(each)) {
        assertEquals(2, costs.size(), each.label());
        assertTrue(costs.stream().allMatch(cost -> cost > 0), each + ": " + costs);
      } else {
        String omission = each.label() + ": " + each.label() + " is not installed";
        assertTrue(result.omissions().contains(omission), () -> "" + result.omissions());
        assertEquals(List.of(), costs);
      }
    }
  }

  @Test
  void jvmThatWasStartedWithFlagsIsKnownToRunWithThem() throws Exception {
    install("test", BlockingTestDriver.class);
    Path folder = DriverFolder.of(home, "test");
    Entrant test = Entrant.of("test", Profile.TUNED);
    try (JvmContender client =
        new JvmContender(test, folder + "/*", new Cores(List.of(), List.of()))) {
      client.start(List.of("-Dheddle.test.cell=small"), () -> {});
      assertTrue(client.runsWith(List.of("-Dheddle.test.cell=small")));
      assertFalse(client.runsWith(List.of()));
    }
  }

  private RaceOptions mine(String text, String baseline) throws Exception {
    Path file = Files.writeString(home.resolve("mine.yaml"), text);
    RacePlan plan =
        RacePlan.DEFAULT.withMethod(Method.WARM).withBaseline(baseline).withRounds(2);
    Experiment experiment = Experiments.find(file.toString(), null);
    return options().clients(List.of()).experiment(experiment).plan(plan).build();
  }

  @Test
  void baselineThatDoesNotRaceIsRefused() throws Exception {
    install("test", BlockingTestDriver.class);
    String refusal = refusal(options().plan(ONE_ROUND.withBaseline("tset")).build());
    assertTrue(refusal.contains("baseline tset") && refusal.contains("choose among test"), refusal);
  }

  @Test
  void unknownNamesAreRefusedWithTheKnownOnes() throws Exception {
    install("test", BlockingTestDriver.class);
    String client = refusal(options().clients(List.of("tset")).build());
    assertTrue(client.contains("tset") && client.contains("choose among test"), client);
    String cell = refusal(options().cells(List.of("h1-65")).build());
    assertTrue(cell.contains("h1-65") && cell.contains("h1-64, h1-512, paced-1k"), cell);
  }

  @Test
  void clientWithoutADriverIsRefusedWithTheReason() throws Exception {
    install("test", BlockingTestDriver.class);
    for (String each : List.of("clj-http", "http-kit")) {
      String refusal = refusal(options().clients(List.of(each)).build());
      assertTrue(refusal.contains(each + ", it is not raced because it is published"), refusal);
    }
  }

  @Test
  void usualClientsRaceWhenNobodyIsNamedAndEveryOneForAll() throws Exception {
    for (String each : List.of("okhttp", "heddle", "vertx", "jdk")) {
      install(each, BlockingTestDriver.class);
    }
    assertEquals(List.of("heddle", "jdk", "okhttp"), racing(List.of()));
    assertEquals(List.of("heddle", "jdk", "okhttp", "vertx"), racing(List.of("all")));
    assertEquals(List.of("heddle", "vertx"), racing(List.of("vertx", "heddle")));
  }

  @Test
  void clientOfOnesOwnIsGivenWithItsClassPath() throws Exception {
    Path jars = Files.createDirectories(home.resolve("elsewhere"));
    DriverFolder.installIn(jars, BlockingTestDriver.class);
    RaceResult result = new Race(options()
            .clients(List.of("test=" + DriverClassPaths.classPath(jars)))
            .plan(ONE_ROUND.withBaseline("test"))
            .build())
        .run(progress -> {});
    assertEquals(List.of(), result.failures());
    assertEquals("test", result.results().getFirst().client());
    String refusal = refusal(options().clients(List.of("mine=nowhere/mine.jar")).build());
    assertTrue(refusal.contains("names nowhere/mine.jar, which does not exist"), refusal);
  }

  private List<String> racing(List<String> names) throws RaceException {
    return List.copyOf(DriverClassPaths.find(home, names).keySet());
  }

  @Test
  void clientThatIsNotBuiltIsNamedWithTheCommandThatBuildsIt() throws Exception {
    Path folder = home.resolve("heddle-bench/drivers/okhttp");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("pom.xml"), "<project/>");
    String refusal = refusal(options().clients(List.of("okhttp")).build());
    assertTrue(refusal.contains("okhttp is not built"), refusal);
    assertTrue(refusal.contains("./mvnw"), refusal);
  }
}
