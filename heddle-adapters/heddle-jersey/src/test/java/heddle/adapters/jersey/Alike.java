package heddle.adapters.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.Invocation;
import jakarta.ws.rs.client.WebTarget;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Plays the same scene over Jersey's own connector and over Heddle's, and compares the results and
 * what the server saw.
 */
final class Alike {
  /** What connectors say of themselves, and of their connections. */
  private static final Set<String> OWN = Set.of("user-agent", "connection", "host");

  private static final int SHOWN = 200;

  private Alike() {}

  /** Makes calls, and returns what to compare. */
  @FunctionalInterface
  interface Scene {
    @Nullable
    Object play(WebTarget target) throws Exception;
  }

  /** The same for scenes that need the client itself. */
  @FunctionalInterface
  interface ClientScene {
    /** Plays it against the server at this URL, which has no path. */
    @Nullable
    Object play(Client client, String url) throws Exception;
  }

  /** A request for a path of a target. */
  static Invocation.Builder at(WebTarget target, String path) {
    return target.path(path).request();
  }

  /** Fails if the two differ; returns what they have in common. */
  static String alike(MockHandler answers, Scene scene) throws Exception {
    return alikeWith(answers, (client, url) -> scene.play(client.target(url)));
  }

  /** The same. */
  static String alikeWith(MockHandler answers, ClientScene scene) throws Exception {
    String stock = played(Carrier.STOCK, answers, scene);
    assertEquals(stock, played(Carrier.HEDDLE, answers, scene));
    return stock;
  }

  private static String played(Carrier carrier, MockHandler answers, ClientScene scene)
      throws Exception {
    try (MockServer server = MockServer.start();
        Client client = carrier.client()) {
      server.handler(answers);
      StringBuilder told = new StringBuilder();
      told.append(outcome(() -> scene.play(client, server.url("")))).append('\n');
      server.requests().forEach(request -> told.append(shown(request)));
      return told.toString().replace(":" + server.port(), ":PORT");
    }
  }

  /** The result of a call, including its failure. */
  static String outcome(Callable<?> call) {
    try {
      return String.valueOf(call.call());
    } catch (Exception e) {
      return failure(e);
    }
  }

  /** The kinds of a failure and of its cause, as code that catches them knows them. */
  static String failure(Throwable failure) {
    Throwable cause = failure.getCause();
    return kind(failure) + (cause == null ? "" : " of " + kind(cause));
  }

  /** The JDK's superclass of an exception of Heddle's. */
  private static String kind(Throwable thrown) {
    Class<?> kind = thrown.getClass();
    while (kind.getName().startsWith("heddle.")) {
      kind = kind.getSuperclass();
    }
    return kind.getSimpleName();
  }

  private static String shown(RecordedRequest request) {
    StringBuilder shown =
        new StringBuilder(request.method()).append(' ').append(request.target()).append('\n');
    TreeSet<String> fields = new TreeSet<>();
    for (String field : request.fields()) {
      String name = field.substring(0, field.indexOf(':')).toLowerCase(Locale.ROOT);
      String value = field.substring(field.indexOf(':') + 1).strip();
      // The JDK's adds a default Accept, and omits a Content-Length of 0.
      boolean own = OWN.contains(name)
          || (name.equals("accept") && value.contains("*/*"))
          || (name.equals("content-length") && value.equals("0"));
      if (!own) {
        fields.add("  " + name + ": " + value + "\n");
      }
    }
    fields.forEach(shown::append);
    byte[] body = request.body();
    return shown
        .append("  ")
        .append(body.length <= SHOWN ? request.text() : Arrays.hashCode(body))
        .append('\n')
        .toString();
  }
}
