package heddle.examples.guide;

import heddle.client.Deadlines;
import heddle.client.HttpClient;
import java.time.Duration;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Subtask;

/** Code of docs/guide/structured-concurrency.md that needs the preview API of Java 25. */
final class Together {
  private Together() {}

  static String page(HttpClient client) throws Exception {
    // doc: page
    return Deadlines.within(Duration.ofSeconds(5), () -> {
      try (var scope = StructuredTaskScope.open()) {
        Subtask<String> user = scope.fork(() -> client.get("/user").requireSuccess().string());
        Subtask<String> orders = scope.fork(() -> client.get("/orders").requireSuccess().string());
        scope.join(); // throws as soon as one has failed; the other is then cancelled
        return user.get() + orders.get();
      }
    });
    // doc: end
  }
}
