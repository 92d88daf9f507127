package heddle.examples.jersey;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.examples.Printed;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of Jersey, run against a test server. */
@Timeout(60)
final class JerseyExamplesTest {

  @Test
  void aCallOfJerseysIsTheSameOverHeddle() throws Exception {
    List<String> agents = new CopyOnWriteArrayList<>();
    try (HttpServer server = HttpServer.builder()
        .handler(request -> {
          agents.add(String.valueOf(request.headers().first("User-Agent")));
          return Response.ok("Hello!");
        })
        .start()) {
      String[] hello = {"http://127.0.0.1:" + server.port() + "/hello"};
      assertEquals("Hello!\n", Printed.by(() -> new JerseyBefore().main(hello)));
      assertEquals("Hello!\n", Printed.by(() -> new JerseyAfter().main(hello)));
    }
    assertTrue(agents.getFirst().contains("(HttpUrlConnection"), agents::toString);
    assertTrue(agents.getLast().contains("(Heddle)"), agents::toString);
  }
}
