package heddle.examples.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.examples.Printed;
import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The examples are run against a server that knows the question they ask. */
final class OpenSearchExamplesTest {

  private final Queue<Method> asked = new ConcurrentLinkedQueue<>();

  @Test
  void openSearchIsPingedBeforeAndAfter() throws Exception {
    try (HttpServer node = HttpServer.builder()
        .handler(request -> {
          asked.add(request.method());
          return Response.of(request.path().equals("/") ? Status.OK : Status.NOT_FOUND);
        })
        .start()) {
      String[] url = {"http://127.0.0.1:" + node.port()};
      assertEquals("there: true\n", Printed.by(() -> new OpenSearchBefore().main(url)));
      assertEquals("there: true\n", Printed.by(() -> new OpenSearchAfter().main(url)));
    }
    assertEquals("HEAD,HEAD", String.join(",", asked.stream().map(Method::name).toList()));
  }
}
