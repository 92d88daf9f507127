package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.load.cluster.json.Json;
import heddle.server.HttpServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each test starts JVMs. */
@Timeout(180)
final class LoadWorkersTest {

  @TempDir
  private Path folder;

  private final AtomicInteger served = new AtomicInteger();
  private final Set<String> fields = ConcurrentHashMap.newKeySet();
  private final CountDownLatch busy = new CountDownLatch(20);

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.builder()
        .handler(request -> {
          served.incrementAndGet();
          busy.countDown();
          fields.add(String.valueOf(request.headers().first("X-One")));
          return Response.ok("Hello!");
        })
        .start();
  }

  @Test
  void workersMakeOneLoadAndReportIt() throws IOException {
    Path json = folder.resolve("load.json");
    Path hlog = folder.resolve("load.hlog");
    Ran ran = load(
        "-n",
        "101",
        "-c",
        "5",
        "-H",
        "X-One: a=b c",
        "--body=-5",
        "--workers",
        "2",
        "--json",
        json.toString(),
        "--hdr",
        hlog.toString(),
        "--slo",
        "errors<=0%");
    assertTrue(ran.out().contains("101 answered in "), ran::toString);
    assertTrue(ran.out().contains("the 2 processes used"), ran::toString);
    assertTrue(ran.out().contains("errors<=0% met"), ran::toString);
    assertEquals(101, served.get());
    assertEquals(Set.of("a=b c"), fields);
    Map<String, Object> written = Json.object(Files.readString(json));
    assertEquals(101, written.get("answered"));
    assertEquals("1/1", written.get("segment"));
    assertEquals(false, written.get("partial"), written::toString);
    Ran logs = Ran.of("merge", hlog.toString());
    assertTrue(logs.out().contains("response: 101, "), logs::toString);
  }

  @Test
  void workersOfASegmentMakeThatSegment() throws IOException {
    Path json = folder.resolve("load.json");
    Ran ran = load(
        "-n", "20", "-c", "6", "--segment", "2/3", "--workers", "2", "--json", json.toString());
    assertTrue(ran.out().contains("segment 2/3 of the load"), ran::toString);
    assertEquals(7, served.get());
    assertEquals("2/3", Json.object(Files.readString(json)).get("segment"));
  }

  @Test
  void workerThatIsKilledIsNamedAndTheRestIsReported() throws Exception {
    Process load = spawn("-c", "4", "-d", "10m", "--workers", "2");
    try {
      assertTrue(busy.await(120, TimeUnit.SECONDS), "the load sent nothing");
      List<ProcessHandle> workers = load.descendants().collect(Collectors.toList());
      assertEquals(2, workers.size(), workers::toString);
      assertTrue(workers.getFirst().destroyForcibly());
      workers.getFirst().onExit().get(60, TimeUnit.SECONDS);
      load.toHandle().destroy();
      assertTrue(load.waitFor(60, TimeUnit.SECONDS), "the load goes on");
    } finally {
      load.destroyForcibly();
    }
    String out = Files.readString(folder.resolve("out"), StandardCharsets.UTF_8);
    assertTrue(out.contains("PARTIAL: ") && out.contains("exit code 137"), out);
    assertTrue(out.contains("answered in "), out);
  }

  @Test
  void processThatIsToldToEndReportsWhatAllWorkersHaveMeasured() throws Exception {
    Path json = folder.resolve("load.json");
    Process load = spawn("-c", "4", "-d", "10m", "--workers", "2", "--json", json.toString());
    List<ProcessHandle> workers = new ArrayList<>();
    try {
      assertTrue(busy.await(120, TimeUnit.SECONDS), "the load sent nothing");
      load.descendants().forEach(workers::add);
      load.toHandle().destroy();
      assertTrue(load.waitFor(60, TimeUnit.SECONDS), "the load goes on");
    } finally {
      load.destroyForcibly();
    }
    Map<String, Object> written = Json.object(Files.readString(json));
    assertEquals(true, written.get("partial"));
    assertEquals(2, written.get("processes"));
    assertTrue((Integer) written.get("answered") > 0, written::toString);
    for (ProcessHandle worker : workers) {
      worker.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void workersEndWithTheProcessThatStartedThemHoweverItEnds() throws Exception {
    Process load = spawn("-c", "4", "-d", "10m", "--workers", "2");
    List<ProcessHandle> workers = new ArrayList<>();
    try {
      assertTrue(busy.await(120, TimeUnit.SECONDS), "the load sent nothing");
      load.descendants().forEach(workers::add);
    } finally {
      load.destroyForcibly();
    }
    assertEquals(2, workers.size());
    for (ProcessHandle worker : workers) {
      worker.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void whatCannotBeSharedIsRefusedBeforeAnyoneStarts() {
    load("-n", "9", "--workers", "0").assertRefused("--workers", "0");
    load("-n", "9", "-c", "3", "--workers", "4").assertRefused("4 callers", "not 3");
    load("-n", "3", "-c", "9", "--workers", "4").assertRefused("4 requests");
    assertEquals(0, served.get());
  }

  private Ran load(String... options) {
    List<String> all = new ArrayList<>(List.of("load", url()));
    all.addAll(List.of(options));
    return Ran.of(all.toArray(String[]::new));
  }

  private String url() {
    return "http://127.0.0.1:" + server.port() + "/hello";
  }

  private Process spawn(String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        "heddle.cli.Main",
        "load",
        url()));
    command.addAll(List.of(options));
    return new ProcessBuilder(command)
        .redirectError(folder.resolve("err").toFile())
        .redirectOutput(folder.resolve("out").toFile())
        .start();
  }
}
