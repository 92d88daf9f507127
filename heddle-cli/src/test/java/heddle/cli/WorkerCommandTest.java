package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.load.cluster.json.Json;
import heddle.server.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers are JVMs that listen on addresses of the loopback. */
@Timeout(180)
final class WorkerCommandTest {

  @TempDir
  private Path folder;

  private final AtomicInteger served = new AtomicInteger();
  private final CountDownLatch busy = new CountDownLatch(20);
  private final List<Process> started = new ArrayList<>();
  private Path key = Path.of("");

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    key = Files.writeString(folder.resolve("key"), "a secret of 16 bytes or more\n");
    server = HttpServer.builder()
        .handler(request -> {
          served.incrementAndGet();
          busy.countDown();
          return Response.ok("Hello!");
        })
        .start();
  }

  @AfterEach
  void end() {
    for (Process each : started) {
      each.descendants().forEach(ProcessHandle::destroyForcibly);
      each.destroyForcibly();
    }
  }

  @Test
  void fourWorkersMakeTheLoadThatOneProcessMakes() throws IOException {
    List<String> addresses = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      addresses.add(worker("127.0.0." + i));
    }
    Path shared = folder.resolve("shared.json");
    Path alone = folder.resolve("alone.json");
    List<String> load = List.of("-n", "403", "-c", "9", "--header=X: y", "--json");
    Ran ran = load(load, shared.toString(), "--workers", String.join(",", addresses), key());
    // On a busy machine they may begin too far apart, which is reported.
    assertTrue(Set.of(0, Verdicts.INVALID).contains(ran.code()), ran::toString);
    assertEquals(403, served.get(), ran::toString);
    for (String address : addresses) {
      assertTrue(ran.err().contains("worker " + address + ": its clock is "), ran::err);
      assertTrue(ran.err().contains("worker " + address + ", segment "), ran::err);
    }
    assertEquals(0, load(load, alone.toString()).code());
    Map<String, Object> all = Json.object(Files.readString(shared));
    Map<String, Object> one = Json.object(Files.readString(alone));
    assertEquals(4, all.get("processes"));
    for (String same : List.of("plan", "target", "segment", "answered", "bodyBytes", "partial")) {
      assertEquals(one.get(same), all.get(same), same);
    }
  }

  @Test
  void workerRefusesStrangersAndServesTheNextCoordinator() throws Exception {
    String address = worker("127.0.0.1");
    Path other = Files.writeString(folder.resolve("other"), "another secret, as long\n");
    List<String> load = List.of("-n", "12", "-c", "3", "--workers");
    Ran refused = load(load, address, "--workers-key", other.toString());
    assertTrue(
        refused.code() != 0 && refused.err().contains(address) && refused.err().contains("key"),
        refused::toString);
    int port = Integer.parseInt(address.substring(address.indexOf(':') + 1));
    for (String garbage : List.of("GET / HTTP/1.1\r\n\r\n", "x".repeat(100_000), "{\"a\":1}\n")) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        socket.getOutputStream().write(garbage.getBytes(StandardCharsets.US_ASCII));
        String answer =
            new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        assertTrue(answer.startsWith("{\"workerNonce\""), answer);
      } catch (IOException e) {
        // Reset, because the worker has not read all of it.
      }
    }
    assertEquals(0, served.get());
    Ran ran = load(load, address, key());
    assertEquals(0, ran.code(), ran::toString);
    assertEquals(12, served.get());
  }

  @Test
  void workerWhoseCoordinatorVanishesStopsAndServesTheNext() throws Exception {
    String address = worker("127.0.0.1");
    Process coordinator = spawn(
        "coordinator",
        "load",
        url(),
        "-r",
        "50",
        "-c",
        "2",
        "-d",
        "10m",
        "--workers",
        address,
        "--workers-key=" + key);
    assertTrue(busy.await(120, TimeUnit.SECONDS), "the load sent nothing");
    coordinator.destroyForcibly().waitFor();
    Ran ran = load(List.of("-n", "12", "-c", "3", "--workers"), address, key());
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.out().contains("12 answered in "), ran::toString);
  }

  @Test
  void workerThatIsLostIsNamedAndTheRestCounts() throws Exception {
    String first = worker("127.0.0.1");
    String second = worker("127.0.0.2");
    Process lost = started.getFirst();
    Thread killing = Thread.ofVirtual().start(() -> {
      try {
        busy.await();
        lost.descendants().forEach(ProcessHandle::destroyForcibly);
        lost.destroyForcibly();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    Ran ran =
        load(List.of("-r", "50", "-c", "4", "-d", "2s", "--workers"), first + "," + second, key());
    killing.join();
    assertTrue(ran.out().contains("PARTIAL: "), ran::toString);
    assertTrue(
        ran.code() != 0 && ran.err().contains("worker " + first + " of segment 1/2 was lost"),
        ran::toString);
  }

  @Test
  void addressBeyondThisMachineNeedsAKey() {
    Ran.of("worker", "--listen", "0.0.0.0:0").assertRefused("loopback", "0.0.0.0");
    Ran.of("worker", "--listen", "here").assertRefused("HOST:PORT", "here");
    load(List.of("-n", "9", "--workers"), "192.0.2.1:7000").assertRefused("loopback", "192.0.2.1");
    load(List.of("-n", "9", "--workers"), "a:1,a:1").assertRefused("twice");
    load(List.of("-n", "9", "--workers"), "2", key()).assertRefused("--workers-key");
  }

  private String key() {
    return "--workers-key=" + key;
  }

  private Ran load(List<String> options, String... more) {
    List<String> all = new ArrayList<>(List.of("load", url()));
    all.addAll(options);
    all.addAll(List.of(more));
    return Ran.of(all.toArray(String[]::new));
  }

  private String url() {
    return "http://127.0.0.1:" + server.port() + "/hello";
  }

  /** Starts a worker, and returns where it listens. */
  private String worker(String host) throws IOException {
    Process process = spawn("worker" + host, "worker", "--listen", host + ":0", "--key=" + key);
    BufferedReader out = process.errorReader(StandardCharsets.UTF_8);
    String listening = " listening on ";
    String line = out.readLine();
    while (line != null && !line.contains(listening)) {
      line = out.readLine();
    }
    assertTrue(line != null, "the worker has ended");
    Thread.ofVirtual().start(() -> out.lines().forEach(each -> {}));
    return line.substring(line.indexOf(listening) + listening.length());
  }

  private Process spawn(String name, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-cp",
        System.getProperty("java.class.path"),
        "heddle.cli.Main"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command)
        .redirectOutput(folder.resolve(name + ".out").toFile())
        .start();
    started.add(process);
    return process;
  }
}
