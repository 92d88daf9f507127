package heddle.verify.conformance;

import heddle.client.HttpClient;
import heddle.websocket.Compression;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs the cases of Autobahn's test suite for clients of WebSockets: each opens a socket to its
 * server, which breaks the protocol or not, and sends back what the server sends.
 */
public final class WebSocketCases {
  private static final String AGENT = "heddle";
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** What the report calls a case that was passed, strictly or as far as the RFC asks. */
  private static final Set<String> PASSED = Set.of("OK", "NON-STRICT", "INFORMATIONAL");

  private final HttpClient client;
  private final String url;

  private WebSocketCases(HttpClient client, String url) {
    this.client = client;
    this.url = url;
  }

  /**
   * Takes the command of the suite and a folder for its report. Ends with 0 if each case is passed
   * or, for lack of an option of compression, was not run.
   */
  public static void main(String[] args) throws Exception {
    if (args.length != 2) {
      System.err.println("WebSocket cases: give the command wstest and a folder for the report");
      System.exit(2);
      return;
    }
    Path report = Files.createDirectories(Path.of(args[1]).toAbsolutePath());
    int port = FreePorts.inARow(1);
    String url = "ws://127.0.0.1:" + port;
    Path spec = report.resolve("fuzzingserver.json");
    Files.writeString(
        spec,
        JsonMapper.shared()
            .writeValueAsString(Map.of(
                "url", url,
                "outdir", report.toString(),
                "cases", List.of("*"),
                "exclude-cases", List.of(),
                "exclude-agent-cases", Map.of())));
    Process server = new ProcessBuilder(
            args[0], "-m", "fuzzingserver", "-w", url, "-u", "0", "-s", spec.toString())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    boolean good;
    try (HttpClient client = HttpClient.create()) {
      WebSocketCases cases = new WebSocketCases(client, url);
      cases.runAll(server);
      good = judge(report.resolve("index.json"));
    } finally {
      server.destroyForcibly();
    }
    System.exit(good ? 0 : 1);
  }

  private void runAll(Process server) throws Exception {
    int count = count(server);
    for (int number = 1; number <= count; number++) {
      try (WebSocket socket = WebSocket.builder(
              client, url + "/runCase?case=" + number + "&agent=" + AGENT)
          .compression(Compression.WITH_CONTEXT)
          .open()) {
        echo(socket);
      }
      if (number % 100 == 0) {
        System.out.println(number + " of " + count + " cases were run");
      }
    }
    WebSocket.open(client, url + "/updateReports?agent=" + AGENT).close();
  }

  private static void echo(WebSocket socket) {
    try {
      for (Message message = socket.receive(); message != null; message = socket.receive()) {
        switch (message) {
          case Message.Text text -> socket.send(text.text());
          case Message.Binary binary -> socket.send(binary.bytes());
        }
      }
    } catch (IOException e) {
      // The case has ended the socket; the report says whether it should have been so.
    }
  }

  /** How many cases there are, once the server listens. */
  private int count(Process server) throws Exception {
    long end = System.nanoTime() + START.toNanos();
    while (true) {
      try (WebSocket socket = WebSocket.open(client, url + "/getCaseCount")) {
        @Nullable Message message = socket.receive();
        return message instanceof Message.Text text ? Integer.parseInt(text.text()) : 0;
      } catch (IOException e) {
        if (!server.isAlive()) {
          throw new IOException("the suite has ended with " + server.exitValue(), e);
        }
        if (System.nanoTime() > end) {
          throw new IOException("the suite does not answer on " + url, e);
        }
      }
      Thread.sleep(PAUSE);
    }
  }

  private static boolean judge(Path report) throws IOException {
    JsonNode cases = JsonMapper.shared().readTree(report.toFile()).path(AGENT);
    Map<String, Integer> outcomes = new TreeMap<>();
    List<String> failed = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : cases.properties()) {
      String outcome = each.getValue().path("behavior").asString();
      String closing = each.getValue().path("behaviorClose").asString();
      outcomes.merge(outcome, 1, Integer::sum);
      boolean left = outcome.equals("UNIMPLEMENTED") && each.getKey().startsWith("13.");
      if (!left && !(PASSED.contains(outcome) && PASSED.contains(closing))) {
        failed.add(each.getKey() + " " + outcome + ", closing " + closing);
      }
    }
    failed.forEach(each -> System.out.println("FAIL  " + each));
    System.out.println("WebSocket: " + cases.size() + " cases, " + outcomes);
    return failed.isEmpty() && !cases.isEmpty();
  }
}
