package heddle.bench.page;

import heddle.load.cluster.json.Json;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Chromium without a window and with one tab, spoken to over its DevTools protocol. It installs
 * nothing: the program has to be there.
 */
final class Chromium implements AutoCloseable {

  /** A system property with the program's path, for one that is not on the path. */
  static final String PROGRAM = "heddle.page.chromium";

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome");

  private static final String LISTENING = "DevTools listening on ";
  private static final int SECONDS = 180;

  private final Process process;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<Map<String, Object>>> asked =
      new ConcurrentHashMap<>();
  private final List<Map<String, Object>> events = new CopyOnWriteArrayList<>();
  private volatile CompletableFuture<@Nullable Void> loaded = new CompletableFuture<>();
  private final WebSocket socket;
  private final String session;

  private Chromium(Process process, URI address) {
    this.process = process;
    socket = HttpClient.newHttpClient()
        .newWebSocketBuilder()
        .buildAsync(address, new Receiver())
        .orTimeout(SECONDS, TimeUnit.SECONDS)
        .join();
    Object target = ask("", "Target.createTarget", Map.of("url", "about:blank")).get("targetId");
    Map<String, Object> attached =
        ask("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true));
    session = String.valueOf(attached.get("sessionId"));
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      send(domain + ".enable", Map.of());
    }
  }

  /** Starts the program; what it keeps goes below the folder. */
  static Chromium start(Path folder) throws IOException {
    // The sandbox does not work for root, and the only page it sees is our own.
    Process process = new ProcessBuilder(
            program().toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--no-first-run",
            "--disable-background-networking",
            "--user-data-dir=" + folder,
            "--remote-debugging-port=0",
            "about:blank")
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start();
    try {
      return new Chromium(process, address(process));
    } catch (IOException | RuntimeException e) {
      process.destroyForcibly();
      throw e;
    }
  }

  private static Path program() {
    String named = System.getProperty(PROGRAM, "");
    if (!named.isEmpty()) {
      return Path.of(named);
    }
    return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new AssertionError("the tests of the page in a browser need Chromium or"
            + " Chrome: install one (Debian, Ubuntu: apt install chromium; macOS: brew install"
            + " --cask chromium) or say where it is with -D" + PROGRAM + "=FILE"));
  }

  /** Where it listens, which it says first; what it says later is dropped. */
  private static URI address(Process process) throws IOException {
    BufferedReader said = process.errorReader(StandardCharsets.UTF_8);
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      if (line.startsWith(LISTENING)) {
        Thread.ofVirtual().start(() -> said.lines().forEach(dropped -> {}));
        return URI.create(line.substring(LISTENING.length()).strip());
      }
    }
    throw new IOException("Chromium ended before it listened: " + process.info().commandLine());
  }

  /** Sends a command for the tab and waits for its result. */
  Map<String, Object> send(String method, Map<String, Object> parameters) {
    return ask(session, method, parameters);
  }

  private Map<String, Object> ask(String to, String method, Map<String, Object> parameters) {
    Map<String, Object> command = new LinkedHashMap<>();
    int id = ids.incrementAndGet();
    command.put("id", id);
    command.put("method", method);
    command.put("params", parameters);
    if (!to.isEmpty()) {
      command.put("sessionId", to);
    }
    CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
    asked.put(id, answer);
    socket.sendText(Json.line(command), true).join();
    return answer.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** Shows a page, and waits until it is loaded. What earlier pages told is forgotten. */
  void show(URI page) {
    events.clear();
    loaded = new CompletableFuture<>();
    send("Page.navigate", Map.of("url", page.toString()));
    loaded.orTimeout(SECONDS, TimeUnit.SECONDS).join();
  }

  /** What the tab has told since the page was shown, by the method of the protocol. */
  List<Map<String, Object>> told(String method) {
    return events.stream().filter(each -> method.equals(each.get("method"))).toList();
  }

  /** Runs an expression and gives its value; waits where it is a promise. */
  Object evaluate(String expression) {
    Map<String, Object> answer = send(
        "Runtime.evaluate",
        Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.containsKey("exceptionDetails")) {
      throw new AssertionError(expression + ": " + answer.get("exceptionDetails"));
    }
    return answer.get("result") instanceof Map<?, ?> result && result.containsKey("value")
        ? result.get("value")
        : "undefined";
  }

  @Override
  public void close() {
    socket.abort();
    process.destroy();
    try {
      if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Assembles messages and passes each to the caller that waits for it. */
  private final class Receiver implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        received(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }

    private void received(String message) {
      Map<String, Object> all = Json.object(message);
      CompletableFuture<Map<String, Object>> answer =
          all.get("id") instanceof Integer id ? asked.remove(id) : null;
      if (answer == null) {
        events.add(all);
        if ("Page.loadEventFired".equals(all.get("method"))) {
          loaded.complete(null);
        }
      } else if (all.get("result") instanceof Map<?, ?> result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        result.forEach((key, value) -> fields.put(String.valueOf(key), value));
        answer.complete(fields);
      } else {
        answer.completeExceptionally(new AssertionError("the browser refuses: " + message));
      }
    }
  }
}
