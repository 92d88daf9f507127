package heddle.examples.search;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.Method;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The examples are run against a server that knows the question they ask. */
final class OpenSearchExamplesTest {

  private final Queue<Method> asked = new ConcurrentLinkedQueue<>();

  @Test
  void openSearchIsAskedForBeforeAndAfter() throws Exception {
    PrintStream before = System.out;
    var printed = new ByteArrayOutputStream();
    try (HttpServer node = HttpServer.builder()
            .handler(request -> {
              asked.add(request.method());
              return Response.of(request.path().equals("/") ? Status.OK : Status.NOT_FOUND);
            })
            .start();
        var out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(out);
      String[] url = {"http://127.0.0.1:" + node.port()};
      new OpenSearchBefore().main(url);
      new OpenSearchAfter().main(url);
    } finally {
      System.setOut(before);
    }
    assertEquals(
        "there: true,there: true",
        String.join(",", printed.toString(StandardCharsets.UTF_8).lines().toList()));
    assertEquals("HEAD,HEAD", String.join(",", asked.stream().map(Method::name).toList()));
  }
}
