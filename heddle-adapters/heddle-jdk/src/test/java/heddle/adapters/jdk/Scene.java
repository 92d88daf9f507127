package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;

/** What a program notes while it uses a client and a scripted server. */
final class Scene {
  /** A program that must note the same over each client. */
  @FunctionalInterface
  interface Play {
    void play(Scene scene) throws Exception;
  }

  /** A program that uses a client and a server. */
  @FunctionalInterface
  interface Visit {
    void visit(HttpClient client, ScriptedPeer peer) throws Exception;
  }

  private final Stack stack;
  private final List<String> notes = new CopyOnWriteArrayList<>();

  private Scene(Stack stack) {
    this.stack = stack;
  }

  /** Runs the program over both clients and compares its notes. */
  static void isTheSameOverBoth(Play play) throws Exception {
    assertEquals(notes(Stack.STOCK, play), notes(Stack.HEDDLE, play));
  }

  private static String notes(Stack stack, Play play) throws Exception {
    Scene scene = new Scene(stack);
    play.play(scene);
    return String.join("\n", scene.notes);
  }

  /** A scene whose notes may differ. */
  static Scene apart(Scene scene) {
    return new Scene(scene.stack);
  }

  Stack stack() {
    return stack;
  }

  void note(Object what) {
    notes.add(String.valueOf(what));
  }

  /** Notes a result, or the classes of an exception and its causes that are the API's. */
  void noteOutcome(Callable<?> call) {
    try {
      note(call.call());
    } catch (Throwable thrown) {
      noteFailure(thrown);
    }
  }

  void noteFailure(Throwable thrown) {
    StringBuilder text = new StringBuilder(thrown.getClass().getName());
    Throwable cause = thrown.getCause();
    if (thrown instanceof ExecutionException || thrown instanceof CompletionException) {
      text.append(" <- ").append(cause == null ? null : cause.getClass().getName());
    }
    note(text);
  }

  /** Runs a program with a client and a server of which each connection follows a script. */
  void with(ScriptedPeer.Script script, UnaryOperator<HttpClient.Builder> options, Visit visit)
      throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script)) {
      HttpClient client =
          options.apply(stack.builder().proxy(HttpClient.Builder.NO_PROXY)).build();
      try {
        visit.visit(client, peer);
      } finally {
        client.shutdownNow();
      }
    }
  }

  void with(ScriptedPeer.Script script, Visit visit) throws Exception {
    with(script, builder -> builder, visit);
  }

  static HttpRequest.Builder to(ScriptedPeer peer, String path) {
    return HttpRequest.newBuilder(URI.create(peer.url(path)))
        .version(Version.HTTP_1_1)
        .timeout(Duration.ofSeconds(20));
  }

  /** Notes each request, and sends a response. */
  ScriptedPeer.Script answering(String response) {
    return connection -> {
      connection.patience(Duration.ofMinutes(1));
      while (connection.hasMore()) {
        noteRequest(connection.expectMessage());
        connection.send(response);
      }
    };
  }

  /** Notes a request, with its fields in alphabetical order and without ports. */
  void noteRequest(String request) {
    String[] parts = request.split("\r\n\r\n", 2);
    String[] lines = withoutPorts(parts[0]).split("\r\n", -1);
    note(lines[0]);
    Arrays.stream(lines)
        .skip(1)
        .map(line -> line.substring(0, line.indexOf(':')).toLowerCase(Locale.ROOT)
            + line.substring(line.indexOf(':')).replace("100-Continue", "100-continue"))
        .sorted()
        .forEach(this::note);
    note(parts[1]);
  }

  /** Replaces ports, which the system chooses. */
  static String withoutPorts(String text) {
    return text.replaceAll("127\\.0\\.0\\.1:\\d+", "SERVER");
  }
}
