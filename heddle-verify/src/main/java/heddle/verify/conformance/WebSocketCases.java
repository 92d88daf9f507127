package heddle.verify.conformance;

import heddle.client.HttpClient;
import heddle.server.HttpServer;
import heddle.websocket.Compression;
import heddle.websocket.Message;
import heddle.websocket.WebSocket;
import heddle.websocket.WebSocketHandler;
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
 * Runs the cases of Autobahn's test suite for WebSockets: in each, the suite is the other side and
 * breaks the protocol or not, and our client or server sends back what it sends.
 */
public final class WebSocketCases {
  private static final String AGENT = "heddle";
  private static final Set<String> SIDES = Set.of("client", "server");
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
   * Takes {@code client} or {@code server}, which is tested, the command of the suite, a folder for
   * its report, and the cases, such as {@code 1.*}; all of them if none is named. Ends with 0 if
   * each case is passed or, for lack of an option of compression, was not run.
   */
  public static void main(String[] args) throws Exception {
    if (args.length < 3 || !SIDES.contains(args[0])) {
      System.err.println("WebSocket cases: give client or server, the command wstest, a folder for"
          + " the report, and cases or none");
      System.exit(2);
      return;
    }
    Path report = Files.createDirectories(Path.of(args[2]).toAbsolutePath());
    List<String> named = List.of(args).subList(3, args.length);
    List<String> cases = named.isEmpty() ? List.of("*") : named;
    boolean ended = args[0].equals("client")
        ? testClient(args[1], report, cases)
        : testServer(args[1], report, cases);
    System.out.println("The " + args[0] + " is tested.");
    System.exit(ended && judge(report.resolve("index.json")) ? 0 : 1);
  }

  private static Process start(
      String command, Path report, Map<String, Object> settings, String... arguments)
      throws IOException {
    Map<String, Object> all = new TreeMap<>(settings);
    all.put("outdir", report.toString());
    all.put("exclude-cases", List.of());
    all.put("exclude-agent-cases", Map.of());
    Path spec = report.resolve("spec.json");
    Files.writeString(spec, JsonMapper.shared().writeValueAsString(all));
    List<String> line = new ArrayList<>(List.of(command, "-s", spec.toString()));
    line.addAll(List.of(arguments));
    return new ProcessBuilder(line)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }

  private static boolean testClient(String command, Path report, List<String> cases)
      throws Exception {
    String url = "ws://127.0.0.1:" + FreePorts.inARow(1);
    Map<String, Object> settings = Map.of("url", url, "cases", cases);
    Process server = start(command, report, settings, "-m", "fuzzingserver", "-w", url, "-u", "0");
    try (HttpClient client = HttpClient.create()) {
      new WebSocketCases(client, url).runAll(server);
      return true;
    } finally {
      server.destroyForcibly();
    }
  }

  private static boolean testServer(String command, Path report, List<String> cases)
      throws Exception {
    WebSocketHandler handler = WebSocketHandler.builder()
        .compression(Compression.WITH_CONTEXT)
        .build((socket, exchange) -> echo(socket));
    try (HttpServer server = HttpServer.builder().exchangeHandler(handler).start()) {
      Map<String, Object> settings = Map.of(
          "servers",
          List.of(Map.of("agent", AGENT, "url", "ws://127.0.0.1:" + server.port())),
          "cases",
          cases);
      Process client = start(command, report, settings, "-m", "fuzzingclient");
      try {
        return client.waitFor() == 0;
      } finally {
        client.destroyForcibly();
      }
    }
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
