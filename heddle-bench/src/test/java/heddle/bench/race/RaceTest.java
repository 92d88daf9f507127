package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Driver;
import heddle.bench.load.BlockingTestDriver;
import heddle.bench.result.Measurement;
import heddle.bench.result.RaceResult;
import heddle.bench.server.ServerCommand;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.jr.ob.JSON;

class RaceTest {

  private static final ServerCommand STAND_IN =
      new ServerCommand(StandInServer.class.getName(), List.of(), List.of());

  @TempDir
  private Path home;

  @Test
  void raceMeasuresAClientInProcessesOfItsOwn() throws Exception {
    install("test", BlockingTestDriver.class);
    List<RaceListener.Progress> heard = new ArrayList<>();
    RaceResult result = new Race(options().withRounds(2)).run(heard::add);
    assertEquals(List.of(), result.failures());
    Measurement found = result.results().getFirst();
    assertEquals("h1-64", found.cell().name());
    assertEquals("HTTP/1.1", found.cell().group());
    assertEquals("test", found.client());
    assertEquals(2, found.rounds());
    assertTrue(found.requestsPerSecond() > 0);
    assertTrue(found.p99Micros() >= found.p50Micros());
    assertTrue(value(found.cpuMicrosPerRequest()) > 0);
    assertTrue(value(found.allocatedBytesPerRequest()) > 0);
    assertTrue(value(found.platformThreads()) >= value(found.idleJvmThreads()));
    assertEquals("1", result.environment().versions().get("test"));
    assertTrue(heard.stream().anyMatch(progress -> progress.doing().contains("test in h1-64")));
    Map<String, Object> json = JSON.std.mapFrom(Files.readString(home.resolve("out/race.json")));
    assertTrue(json.containsKey("results"));
    assertTrue(Files.readString(home.resolve("out/race.html")).contains("h1-64"));
  }

  @Test
  void workerThatFailsIsReportedAndTheRaceGoesOn() throws Exception {
    Path folder = home.resolve("heddle-bench/drivers/hollow/target/driver");
    Files.createDirectories(folder);
    RaceResult result = new Race(options()).run(progress -> {});
    assertTrue(result.results().isEmpty());
    assertEquals(1, result.failures().size());
    String failure = result.failures().getFirst();
    assertTrue(failure.startsWith("hollow: ") && failure.contains("no driver"), failure);
  }

  @Test
  void workerThatDiesIsReportedWithItsLastWordsAndTheRaceGoesOn() throws Exception {
    install("test", BlockingTestDriver.class);
    install("dying", DyingTestDriver.class);
    RaceResult result = new Race(options()).run(progress -> {});
    assertEquals(
        List.of("test"), result.results().stream().map(Measurement::client).toList());
    String failures = String.join(";", result.failures());
    assertTrue(failures.contains("dying in h1-64, warming up: "), failures);
    assertTrue(failures.contains("exit code 3") && failures.contains("my last words"), failures);
  }

  @Test
  void clientThatCannotBePutUnderALoadIsLeftOutWithItsReason() throws Exception {
    install("test", BlockingTestDriver.class);
    install("choosy", ChoosyTestDriver.class);
    RaceResult result = new Race(options()).run(progress -> {});
    assertEquals(
        List.of("test"), result.results().stream().map(Measurement::client).toList());
    assertEquals(List.of(), result.failures());
    assertEquals(List.of("choosy in h1-64: not in the mood"), result.omissions());
  }

  @Test
  void nothingIsLeftRunning() throws Exception {
    install("test", BlockingTestDriver.class);
    new Race(options()).run(progress -> {});
    assertEquals(List.of(), ProcessHandle.current().children().toList());
  }

  @Test
  void unknownNamesAreRefusedWithTheKnownOnes() throws Exception {
    install("test", BlockingTestDriver.class);
    String client = refusal(options().withClients(List.of("tset")));
    assertTrue(client.contains("tset") && client.contains("choose among test"), client);
    String cell = refusal(options().withCells(List.of("h1-65")));
    assertTrue(cell.contains("h1-65") && cell.contains("h1-64, h1-512, paced-1k"), cell);
  }

  @Test
  void clientThatIsNotBuiltIsNamedWithTheCommandThatBuildsIt() throws Exception {
    Path folder = home.resolve("heddle-bench/drivers/okhttp");
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("pom.xml"), "<project/>");
    String refusal = refusal(options().withClients(List.of("okhttp")));
    assertTrue(refusal.contains("okhttp is not built"), refusal);
    assertTrue(refusal.contains("./mvnw"), refusal);
  }

  @Test
  void serverThatDoesNotStartIsReportedWithItsError() throws Exception {
    install("test", BlockingTestDriver.class);
    ServerCommand absent =
        new ServerCommand("heddle.bench.race.NoSuchServer", List.of(), List.of());
    String refusal = refusal(options().withServer(absent));
    assertTrue(refusal.contains("NoSuchServer"), refusal);
    assertFalse(refusal.contains("printed no error"), refusal);
  }

  @Test
  void placeForTheResultIsCheckedBeforeTheRace() throws Exception {
    install("test", BlockingTestDriver.class);
    String refusal = refusal(options().withJson(home));
    assertTrue(refusal.contains("cannot write " + home), refusal);
  }

  private static String refusal(RaceOptions options) {
    RaceException thrown =
        assertThrows(RaceException.class, () -> new Race(options).run(progress -> {}));
    return String.valueOf(thrown.getMessage());
  }

  private RaceOptions options() {
    return RaceOptions.defaults(home)
        .withServer(STAND_IN)
        .withClients(clientsBelowHome())
        .withCells(List.of("h1-64"))
        .withRounds(1)
        .withScale(0.1)
        .withJson(home.resolve("out/race.json"))
        .withHtml(home.resolve("out/race.html"));
  }

  /** By name, so that wrk does not take part where it is installed. */
  private List<String> clientsBelowHome() {
    String[] names = home.resolve("heddle-bench/drivers").toFile().list();
    return names == null ? List.of() : List.of(names);
  }

  /** A driver folder as the build makes one: a jar with the driver and its service file. */
  private void install(String client, Class<? extends Driver> driver) throws IOException {
    Path folder = home.resolve("heddle-bench/drivers/" + client + "/target/driver");
    Files.createDirectories(folder);
    try (OutputStream file = Files.newOutputStream(folder.resolve("driver.jar"));
        ZipOutputStream jar = new ZipOutputStream(file)) {
      String type = driver.getName();
      String path = type.replace('.', '/') + ".class";
      jar.putNextEntry(new ZipEntry(path));
      try (InputStream code = driver.getClassLoader().getResourceAsStream(path)) {
        assertNotNull(code);
        code.transferTo(jar);
      }
      jar.putNextEntry(new ZipEntry("META-INF/services/" + Driver.class.getName()));
      jar.write(type.getBytes(StandardCharsets.UTF_8));
      jar.closeEntry();
    }
  }

  private static double value(@Nullable Number number) {
    assertNotNull(number);
    return number.doubleValue();
  }
}
