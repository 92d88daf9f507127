package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.experiment.Experiments;
import heddle.http.Response;
import heddle.load.cluster.json.Json;
import heddle.server.HttpServer;
import heddle.server.spi.Handler;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

final class RaceCommandTest {

  private static final String HOME = "heddle.home";
  private static final String PARTIAL = "This result is partial.";

  @TempDir
  private Path home;

  @BeforeEach
  void setHome() {
    System.setProperty(HOME, home.toString());
  }

  @AfterEach
  void clearHome() {
    System.clearProperty(HOME);
  }

  @Test
  void raceOfOneClientWritesBothReports() throws IOException {
    installHeddle();
    Path json = home.resolve("out/race.json");
    Path html = home.resolve("out/race.html");
    Ran ran = tiny("heddle", "--json", json.toString(), "--html", html.toString());
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.out().contains("h1-64") && ran.out().contains("heddle"), ran::out);
    assertTrue(ran.err().contains("/2] "), ran::err);
    assertTrue(ran.out().endsWith("JSON  " + json + "\nHTML  " + html + "\n"), ran::out);
    Map<String, Object> result = Json.object(Files.readString(json));
    assertEquals(List.of(), result.get("failures"), result::toString);
    String measured = String.valueOf(result.get("results"));
    assertTrue(measured.contains("name=h1-64, ") && measured.contains("client=heddle"), measured);
    assertTrue(measured.contains("cpuMicrosPerRequest=") && measured.contains("p99Micros="));
    assertTrue(Files.readString(html).contains("</html>"));
  }

  @Test
  void raceWithoutOneMeasuredClientFailsAndStillWritesItsReport() throws IOException {
    install("hollow");
    Path json = home.resolve("out/race.json");
    Ran ran = tiny("hollow", "--json", json.toString(), "--html", home + "/out/race.html");
    assertEquals(1, ran.code(), ran::err);
    String last = ran.err().lines().toList().getLast();
    assertTrue(last.startsWith("heddle: no client could be measured; "), ran::err);
    assertTrue(last.contains("no driver hollow"), ran::err);
    assertTrue(Files.readString(json).contains("no driver hollow"));
  }

  @Test
  void unknownNamesAreNamedWithTheKnownOnes() throws IOException {
    install("hollow");
    race("h1-65")
        .assertRefused("h1-65", "h1-64, h1-512, paced-1k", "experiment: ", "http2-ablation");
    race("--cells", "h1-64,h2-64").assertRefused("h2-64");
    race("--clients", "hallow").assertRefused("hallow", "choose among hollow");
  }

  @Test
  void wrongOptionsExitWith2AndSayWhich() {
    race("--rounds", "0").assertRefused("rounds", "0");
    race("--rounds", "few").assertRefused("--rounds", "few");
    race("--scale", "11").assertRefused("scale", "11");
    race("--scale", "tiny").assertRefused("--scale", "small", "tiny");
    race("pool", "h1-64").assertRefused("h1-64", "--list");
    race("--all", "--cells", "h1-64").assertRefused("h1-64");
    race("pool", "--json", "pool.json").assertRefused("--report");
    race("none.yaml").assertRefused("none.yaml", "paced-10k");
    race("--slo", "p99<50ms").assertRefused("p99<50ms", "ratio(heddle/okhttp,cpu)<0.5");
    race("--slo", "fast").assertRefused("fast");
    race("--clients", "hollow", "--slo", "ratio(hollow/jdk,cpu)<1").assertRefused("jdk", "hollow");
    race("--method", "cold").assertRefused("--method", "cold");
    race("--seed", "some").assertRefused("--seed", "some");
    race("--baseline", " ").assertRefused("baseline");
    race("--profile", "fast").assertRefused("--profile", "fast");
    race("--h2-server", "mine").assertRefused("--h2-server", "mine");
    race("--colour").assertRefused("--colour");
    assertFalse(Files.exists(home.resolve("out")));
  }

  @Test
  void raceOfTwoBuildsIsRefusedWithWhatItCannotHaveBeside() throws IOException {
    String none = home.resolve("none").toString();
    race("--against", none).assertRefused("there is no folder " + none, "git worktree add");
    race("--against", home.toString()).assertRefused("is not a checkout of Heddle", "mvnw");
    race("--against", none, "--clients", "jdk").assertRefused("omit --clients");
    race("--against", none, "--baseline", "jdk").assertRefused("omit --baseline");
    race("--against", none, "--no-control").assertRefused("omit --no-control");
    race("--against", none, "pool").assertRefused("cells", "pool");
    race("--against", none, "--all").assertRefused("--all");
    race("--against", none, "--fail-if-dearer", "-1").assertRefused("--fail-if-dearer", "-1");
    race("--fail-if-dearer", "5").assertRefused("--against DIR");
  }

  @Test
  void raceOfTwoBuildsEndsWithAVerdict() throws IOException {
    installHeddle();
    Path other = home.resolve("before");
    Path module = Files.createDirectories(other.resolve("heddle-bench/drivers/heddle"));
    Files.createFile(other.resolve("pom.xml"));
    Files.createFile(module.resolve("pom.xml"));
    Path built = home.resolve("heddle-bench/drivers/heddle/target/driver");
    Path script = Files.writeString(
        other.resolve("mvnw"),
        "#!/bin/sh\nmkdir -p '" + module + "/target'; cp -r '" + built + "' '" + module
            + "/target/'\n");
    assertTrue(script.toFile().setExecutable(true));
    race("--against", other.toString(), "-k").assertRefused("-k", "--target URL");
    Ran ran = race(
        "h1-64",
        "--against",
        other.toString(),
        "--rounds",
        "1",
        "--scale",
        "0.04",
        "--report",
        home.resolve("out").toString());
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.err().contains("building " + other.toRealPath()), ran::err);
    String verdict = ran.out().substring(ran.out().indexOf("This build of Heddle compared with"));
    assertTrue(verdict.contains("heddle@before, by CPU time per request"), verdict);
    Map<String, Object> json = Json.object(Files.readString(home.resolve("out/race.json")));
    assertTrue(String.valueOf(json.get("environment")).contains("heddle@before="), json::toString);
    // One round says nothing.
    assertTrue(verdict.contains("h1-64: too noisy to say"), verdict);
    assertTrue(verdict.contains("  heddle@before / this build  "), verdict);
    assertTrue(verdict.contains("  this build / itself  "), verdict);
  }

  @Test
  void listTellsWhatEachExperimentShowsAndHowLongItTakes() {
    Ran ran = race("--list");
    assertEquals(0, ran.code(), ran::err);
    for (String name : Experiments.NAMES) {
      assertTrue(ran.out().contains("\n" + name + ": ") || ran.out().startsWith(name), ran::out);
    }
    assertTrue(ran.out().contains(" min at scale 0.1"), ran::out);
    assertTrue(ran.out().lines().allMatch(line -> line.length() < 80), ran::out);
  }

  @Test
  void experimentOfOnesOwnRacesAndLeavesItsReport() throws IOException {
    installHeddle();
    Path mine = Files.writeString(
        home.resolve("mine.yaml"),
        """
        name: mine
        title: Both kinds of strand
        shows: That it runs.
        entrants:
          - {clients: heddle, strands: [virtual, "pool:4"]}
        cells:
          - name: batch
            connections: 4
            get: /delay/10
            answer: 6 B
            load: {batch: 20}
            times: 3 scaled
          - name: open
            connections: 4
            get: /hello
            answer: 6 B
            load: {rate: 100/s}
            warm-up: 200 ms
            for: 2 s scaled
          - name: part
            connections: 4
            get: /hello
            answer: 6 B
            load: {rate: 50% of the slowest in open}
            warm-up: 200 ms
            for: 2 s scaled
          - name: cold
            get: /hello
            answer: 6 B
            load: {first: true}
        """);
    Path report = home.resolve("report");
    Ran ran = race(
        mine.toString(),
        "--scale",
        "0.25",
        "--rounds",
        "1",
        "--no-control",
        "--report",
        report.toString());
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.out().contains("heddle@pool:4"), ran::out);
    Map<String, Object> result = Json.object(Files.readString(report.resolve("mine/race.json")));
    assertEquals(List.of(), result.get("failures"), result::toString);
    String measured = String.valueOf(result.get("results"));
    assertTrue(measured.contains("name=part, ") && measured.contains("name=batch, "), measured);
    assertTrue(
        measured.contains("name=cold, ") && measured.contains("firstAnswerMillis="), measured);
    assertTrue(String.valueOf(result.get("story")).contains("scale=0.25"), result::toString);
    assertEquals(false, result.get("partial"));
    assertTrue(Files.exists(report.resolve("mine/race.html")));
    assertTrue(ran.err().contains("INDEX " + report.resolve("index.html")), ran::err);
    String index = Files.readString(report.resolve("index.html"));
    assertTrue(index.contains("Both kinds of strand") && !index.contains(PARTIAL), index);
    assertTrue(index.contains("href=\"mine/race.html\""), index);
    assertTrue(Files.exists(report.resolve("mine/open.heddle.hlog")));
  }

  @Test
  void experimentOfOnesOwnRacesAgainstAServerThatWasThereBefore() throws IOException {
    installHeddle();
    var asked = new AtomicInteger();
    Handler handler = request -> {
      asked.incrementAndGet();
      return Response.ok("Hello!");
    };
    Path report = home.resolve("report");
    try (HttpServer server = HttpServer.builder().handler(handler).start()) {
      Path theirs = Files.writeString(
          home.resolve("theirs.yaml"),
          """
          name: theirs
          title: A service of one's own
          shows: That it is reached.
          target: http://127.0.0.1:%d
          entrants:
            - clients: heddle
          cells:
            - name: batch
              connections: 4
              get: /greeting
              answer: 6 B
              load: {batch: 20}
              times: 2
          """
              .formatted(server.port()));
      Ran ran = race(theirs.toString(), "--rounds", "1", "--report", report.toString());
      assertEquals(0, ran.code(), ran::toString);
    }
    // Two batches that count, and one before them.
    assertEquals(3 * 20, asked.get());
    Map<String, Object> result = Json.object(Files.readString(report.resolve("theirs/race.json")));
    assertEquals(List.of(), result.get("failures"), result::toString);
    assertTrue(String.valueOf(result.get("results")).contains("name=batch, "), result::toString);
  }

  @Test
  void experimentsThatFailAreOnThePageWithTheReasonAndTheOthersGoOn() throws IOException {
    install("hollow");
    Path report = home.resolve("report");
    Ran ran = race("batch", "pool", "--clients", "hallow", "--report", report.toString());
    assertEquals(1, ran.code(), ran::toString);
    assertTrue(ran.err().endsWith("heddle: 2 of 2 experiments failed: batch, pool\n"), ran::err);
    assertTrue(ran.err().contains("pool: ") && ran.err().contains("hallow"), ran::err);
    String index = Files.readString(report.resolve("index.html"));
    assertTrue(index.indexOf("id=\"of-pool\"") < index.indexOf("id=\"of-batch\""), index);
    assertEquals(2, index.split("It failed\\.</strong> [^<]*hallow", -1).length - 1, index);
    Ran alone = race("pool", "--clients", "hallow", "--report", report.toString());
    assertTrue(alone.err().lines().toList().getLast().contains("hallow"), alone::err);
    assertEquals(1, alone.code());
  }

  @Test
  @Timeout(120)
  void raceThatIsToldToEndLeavesAPartialReport() throws Exception {
    installHeddle();
    Path endless = Files.writeString(
        home.resolve("endless.yaml"),
        """
        name: endless
        title: More rounds than anyone waits for
        shows: That it can be ended.
        rounds: 100
        method: warm
        entrants:
          - clients: heddle
        cells:
          - name: batch
            connections: 4
            get: /delay/200
            answer: 6 B
            load: {batch: 4}
            warm-up: 0 s
            times: 1
        """);
    Path report = home.resolve("report");
    Path progress = home.resolve("err");
    Process race = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-D" + HOME + "=" + home,
            "-cp",
            System.getProperty("java.class.path"),
            "heddle.cli.Main",
            "race",
            endless.toString(),
            "--report",
            report.toString())
        .redirectError(progress.toFile())
        .redirectOutput(home.resolve("out").toFile())
        .start();
    try {
      while (!Files.readString(progress).contains(", round 2 of")) {
        assertTrue(race.isAlive(), () -> "it ended");
        race.waitFor(20, TimeUnit.MILLISECONDS);
      }
      race.toHandle().destroy();
      assertTrue(race.waitFor(60, TimeUnit.SECONDS), "the race goes on");
    } finally {
      race.destroyForcibly();
    }
    Map<String, Object> json = Json.object(Files.readString(report.resolve("endless/race.json")));
    assertEquals(List.of(), json.get("failures"), json::toString);
    assertTrue(String.valueOf(json.get("omissions")).contains("partial"), json::toString);
    assertFalse(((List<?>) json.get("results")).isEmpty(), json::toString);
    assertEquals(true, json.get("partial"), json::toString);
    assertTrue(Files.readString(home.resolve("out")).startsWith("PARTIAL: "));
    assertTrue(Files.readString(report.resolve("endless/race.html")).contains(PARTIAL));
    assertTrue(Files.readString(report.resolve("index.html")).contains(PARTIAL));
    assertTrue(
        Files.readString(progress).contains("INDEX " + report.resolve("index.html")),
        () -> "it does not say where the page is");
  }

  @Test
  void withoutItsCheckoutTheRaceSaysHowToBeRun() {
    System.clearProperty(HOME);
    race("h1-64").assertRefused("a race needs a checkout", "./heddle race");
  }

  private Path install(String client) throws IOException {
    return Files.createDirectories(
        home.resolve("heddle-bench/drivers").resolve(client).resolve("target/driver"));
  }

  /** The worker gets all that this JVM has, through the manifest of a jar without content. */
  private void installHeddle() throws IOException {
    Path folder = install("heddle");
    var manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPathAsUris());
    new JarOutputStream(Files.newOutputStream(folder.resolve("driver.jar")), manifest).close();
  }

  private static String classPathAsUris() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(each -> Path.of(each).toUri().toString())
        .collect(Collectors.joining(" "));
  }

  private static Ran tiny(String client, String... options) {
    Stream<String> bounds =
        Stream.of("h1-64", "--clients", client, "--rounds", "1", "--scale", "0.04");
    return race(Stream.concat(bounds, Stream.of(options)).toArray(String[]::new));
  }

  private static Ran race(String... options) {
    return Ran.of(Stream.concat(Stream.of("race"), Stream.of(options)).toArray(String[]::new));
  }
}
