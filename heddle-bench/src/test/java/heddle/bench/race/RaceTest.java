package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import heddle.bench.driver.Trust;
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

class RaceTest extends RaceFixture {

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

  private static double value(Measurement measurement, Figure figure) {
    // Of the run, which has its figures on a machine too that is too loud for them to count.
    Double value = measurement.runs().getFirst().figures().of(figure);
    assertNotNull(value, figure::key);
    return value;
  }
}
