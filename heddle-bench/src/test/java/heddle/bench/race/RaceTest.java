package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import heddle.bench.contender.Entrant;
import heddle.bench.contender.JvmContender;
import heddle.bench.driver.Driver;
import heddle.bench.driver.Profile;
import heddle.bench.driver.Trust;
import heddle.bench.experiment.Experiment;
import heddle.bench.experiment.Experiments;
import heddle.bench.experiment.Target;
import heddle.bench.report.JsonReport;
import heddle.bench.report.TableReport;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.result.Run;
import heddle.bench.result.Soundness;
import heddle.bench.server.ServerCommand;
import heddle.bench.worker.BlockingTestDriver;
import heddle.load.cluster.json.Json;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaceTest {

  private static final RacePlan ONE_ROUND = RacePlan.DEFAULT.withRounds(1);

  private static final ServerCommand STAND_IN =
      new ServerCommand(StandInServer.class.getName(), List.of(), List.of());

  @TempDir
  private Path home;

  @Test
  void raceMeasuresAClientInProcessesOfItsOwn() throws Exception {
    install("test", BlockingTestDriver.class);
    List<RaceListener.Progress> heard = new ArrayList<>();
    RaceResult result = new Race(rounds(2)).run(heard::add);
    assertEquals(List.of(), result.failures());
    Measurement found = result.results().getFirst();
    assertEquals("h1-64", found.cell().name());
    assertEquals("HTTP/1.1", found.cell().group());
    assertEquals("test", found.client());
    assertEquals(2, found.runs().size());
    assertTrue(value(found, Figure.RATE) > 0);
    assertTrue(value(found, Figure.P99) >= value(found, Figure.P50));
    assertTrue(value(found, Figure.CPU) > 0);
    assertTrue(value(found, Figure.ALLOCATED) > 0);
    assertTrue(value(found, Figure.LIVE_SET) > 0);
    assertTrue(value(found, Figure.THREADS) >= value(found, Figure.IDLE_THREADS));
    assertTrue(value(found, Figure.SENT) >= value(found, Figure.ANSWERED));
    assertTrue(value(found, Figure.SERVER_REQUESTS) >= value(found, Figure.ANSWERED));
    assertEquals("1", result.environment().versions().get("test"));
    assertTrue(heard.stream().anyMatch(progress -> progress.doing().contains("test in h1-64")));
    Map<String, Object> json = Json.object(Files.readString(home.resolve("out/race.json")));
    assertTrue(json.containsKey("results"));
    assertTrue(Files.readString(home.resolve("out/race.html")).contains("h1-64"));
    assertNothingIsLeftRunning();
  }

  @Test
  void freshJvmsRaceBesideAControl() throws Exception {
    install("test", BlockingTestDriver.class);
    RacePlan plan = ONE_ROUND.withMethod(Method.FRESH).withBaseline("test").withControl(true);
    RaceResult result = new Race(options().plan(plan).build()).run(progress -> {});
    assertEquals(List.of(), result.failures());
    assertEquals(
        List.of("test", "test(control)"),
        result.results().stream().map(Measurement::client).toList());
    Measurement control = result.results().getLast();
    assertEquals(List.of(1), control.runs().stream().map(Run::round).toList());
    assertEquals(List.of("test"), List.copyOf(result.environment().versions().keySet()));
    assertEquals(Method.FRESH, result.environment().design().method());
    assertTrue(result.environment().design().hasControl());
    assertNothingIsLeftRunning();
    RaceResult read = JsonReport.read(home.resolve("out/race.json"));
    assertEquals(result.results(), read.results());
    assertEquals(result.environment(), read.environment());
    List<String> rows = Files.readAllLines(home.resolve("out/race.csv"));
    assertEquals(3, rows.size());
    assertTrue(rows.getFirst().startsWith("cell,client,round,validity,"), rows::getFirst);
    assertTrue(rows.get(1).startsWith("h1-64,test,1,"), () -> rows.get(1));
  }

  @Test
  void entrantTakesPartInItsCellsAlone() throws Exception {
    install("test", BlockingTestDriver.class);
    Path file = Files.writeString(
        home.resolve("mine.yaml"),
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
          - {name: first, get: /hello, answer: 6 B, load: {callers: 2}, warm-up: 0 s, for: 100 ms}
          - {name: second, get: /hello, answer: 6 B, load: {callers: 3}, warm-up: 0 s, for: 100 ms}
        """);
    RaceResult result = new Race(mine(file, "everywhere")).run(progress -> {});
    assertEquals(List.of(), result.failures());
    assertEquals(
        List.of("everywhere in first", "everywhere in second", "in the second in second"),
        result.results().stream()
            .map(each -> each.client() + " in " + each.cell().name())
            .toList());
  }

  @Test
  void measuringIsTriedBeforeAClientGetsWarm() throws Exception {
    install("rehearsed", RehearsedTestDriver.class);
    RaceResult result = new Race(rounds(1)).run(progress -> {});
    assertEquals(List.of(), result.failures());
    assertEquals(1, result.results().size());
  }

  @Test
  void firstRunInAJvmIsRehearsed() throws Exception {
    install("unready", UnreadyTestDriver.class);
    RaceResult result = new Race(rounds(1)).run(progress -> {});
    assertEquals(List.of(), result.failures());
    Measurement found = result.results().getFirst();
    assertEquals(1, found.runs().size());
    assertTrue(value(found, Figure.ANSWERED) > 0);
  }

  @Test
  void warmClientsGetAJvmForEachCellThatHasFlagsOfItsOwn() throws Exception {
    install("flagged", FlaggedTestDriver.class);
    Path file = Files.writeString(
        home.resolve("mine.yaml"),
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
            for: 100 ms
            jvm: "-Dheddle.test.cell={flag}"
        """);
    RaceResult result = new Race(mine(file, "flagged")).run(progress -> {});
    assertEquals(List.of(), result.failures());
    for (Measurement each : result.results()) {
      assertEquals(2, each.runs().size(), each.cell().name());
    }
    assertEquals(2, result.results().size());
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

  private RaceOptions mine(Path file, String baseline) throws Exception {
    RacePlan plan =
        RacePlan.DEFAULT.withMethod(Method.WARM).withBaseline(baseline).withRounds(2);
    Experiment experiment = Experiments.find(file.toString(), null);
    return options().clients(List.of()).experiment(experiment).plan(plan).build();
  }

  @Test
  void clientWhoseCountIsNotTheServersIsInvalid() throws Exception {
    install("test", BlockingTestDriver.class);
    ServerCommand doubling =
        new ServerCommand(StandInServer.class.getName(), List.of("2"), List.of());
    RaceResult result = new Race(options().server(doubling).build()).run(progress -> {});
    assertEquals(List.of(), result.failures());
    Measurement found = result.results().getFirst();
    assertInstanceOf(Soundness.Invalid.class, found.soundness());
    assertEquals(Map.of(), found.medians());
    String doubts = String.join(";", result.doubts());
    assertTrue(doubts.contains("test in h1-64: round 1: the client sent "), doubts);
    assertTrue(doubts.contains("it repeats some itself"), doubts);
    assertTrue(TableReport.render(result).contains("test is invalid: "));
  }

  @Test
  void baselineThatDoesNotRaceIsRefused() throws Exception {
    install("test", BlockingTestDriver.class);
    String refusal = refusal(options().plan(ONE_ROUND.withBaseline("tset")).build());
    assertTrue(refusal.contains("baseline tset") && refusal.contains("choose among test"), refusal);
  }

  @Test
  void workerThatFailsIsReportedAndTheRaceGoesOn() throws Exception {
    Path folder = DriverFolder.of(home, "hollow");
    Files.createDirectories(folder);
    RaceResult result = new Race(options().build()).run(progress -> {});
    assertTrue(result.results().isEmpty());
    assertEquals(1, result.failures().size());
    String failure = result.failures().getFirst();
    assertTrue(failure.startsWith("hollow: ") && failure.contains("no driver"), failure);
  }

  @Test
  void raceGoesOnWithoutAWorkerThatDiesAndAClientThatCannotBePutUnderALoad() throws Exception {
    install("test", BlockingTestDriver.class);
    install("dying", DyingTestDriver.class);
    install("choosy", ChoosyTestDriver.class);
    RaceResult result = new Race(options().build()).run(progress -> {});
    assertEquals(
        List.of("test"), result.results().stream().map(Measurement::client).toList());
    String failures = String.join(";", result.failures());
    assertTrue(failures.contains("dying in h1-64, warming up: "), failures);
    assertTrue(failures.contains("exit code 3") && failures.contains("my last words"), failures);
    assertTrue(result.failures().stream().allMatch(each -> each.startsWith("dying")), failures);
    assertEquals(List.of("choosy in h1-64: not in the mood"), result.omissions());
    assertNothingIsLeftRunning();
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

  @Test
  void serverOfOnesOwnIsAskedForItsPath() throws Exception {
    install("test", BlockingTestDriver.class);
    var paths = new ConcurrentHashMap<String, Boolean>();
    HttpServer own =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    own.createContext("/", exchange -> {
      paths.put(exchange.getRequestURI().toString(), true);
      byte[] content = "some text".getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(200, content.length);
      exchange.getResponseBody().write(content);
      exchange.close();
    });
    own.start();
    try {
      String uri = "http://127.0.0.1:" + own.getAddress().getPort() + "/items?page=2";
      Target target = Target.of(uri, new Trust.Default());
      RaceResult result =
          new Race(options().cells(List.of()).target(target).build()).run(progress -> {});
      assertEquals(List.of(), result.failures());
      assertEquals("h1-64", result.results().getFirst().cell().name());
      assertEquals(Set.of("/items?page=2"), paths.keySet());
      String refusal =
          refusal(options().cells(List.of("h2tls-1x100")).target(target).build());
      assertTrue(refusal.contains("are h1-64, h1-512, h2-1x100, h2-4x64, not h2tls"), refusal);
    } finally {
      own.stop(0);
    }
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

  @Test
  void serverThatDoesNotStartIsReportedWithItsError() throws Exception {
    install("test", BlockingTestDriver.class);
    ServerCommand absent =
        new ServerCommand("heddle.bench.race.NoSuchServer", List.of(), List.of());
    String refusal = refusal(options().server(absent).build());
    assertTrue(refusal.contains("NoSuchServer"), refusal);
    assertFalse(refusal.contains("printed no error"), refusal);
  }

  @Test
  void placeForTheResultIsCheckedBeforeTheRace() throws Exception {
    install("test", BlockingTestDriver.class);
    String refusal = refusal(
        options().outputs(new RaceOutputs(home, home.resolve("a"), null, null)).build());
    assertTrue(refusal.contains("cannot write " + home), refusal);
  }

  private static void assertNothingIsLeftRunning() {
    assertEquals(List.of(), ProcessHandle.current().children().toList());
  }

  private static String refusal(RaceOptions options) {
    RaceException thrown =
        assertThrows(RaceException.class, () -> new Race(options).run(progress -> {}));
    return String.valueOf(thrown.getMessage());
  }

  /** Windows of 0.4 s: no test asks how fast anything is, and each has to hold some answers. */
  private RaceOptions.Builder options() {
    return RaceOptions.builder(home)
        .server(STAND_IN)
        .clients(clientsBelowHome())
        .cells(List.of("h1-64"))
        .scale(0.04)
        .plan(ONE_ROUND)
        .outputs(new RaceOutputs(
            home.resolve("out/race.json"),
            home.resolve("out/race.html"),
            home.resolve("out/race.csv"),
            home.resolve("out")));
  }

  private RaceOptions rounds(int number) {
    return options().plan(RacePlan.DEFAULT.withRounds(number)).build();
  }

  /** By name, so that wrk does not take part where it is installed. */
  private List<String> clientsBelowHome() {
    String[] names = home.resolve("heddle-bench/drivers").toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  private void install(String client, Class<? extends Driver> driver) throws IOException {
    DriverFolder.install(home, client, driver);
  }

  private static double value(Measurement measurement, Figure figure) {
    // Of the run, which has its figures on a machine too that is too loud for them to count.
    Double value = measurement.runs().getFirst().figures().of(figure);
    assertNotNull(value, figure::key);
    return value;
  }
}
