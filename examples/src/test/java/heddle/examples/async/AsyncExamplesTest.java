package heddle.examples.async;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.examples.Printed;
import heddle.http.Response;
import heddle.server.HttpServer;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of asynchronous clients, run against a test server. */
@Timeout(60)
final class AsyncExamplesTest {

  private static HttpServer server() throws IOException {
    return HttpServer.builder()
        .handler(request -> {
          request.body().bytes();
          return Response.ok("Hello!");
        })
        .start();
  }

  private static String[] url(HttpServer server, String path) {
    return new String[] {"http://127.0.0.1:" + server.port() + path};
  }

  @Test
  void aRequestOfApachesIsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] hello = url(server, "/hello");
      assertEquals("200 Hello!\n", Printed.by(() -> new Apache5AsyncBefore().main(hello)));
      assertEquals("200 Hello!\n", Printed.by(() -> new Apache5AsyncAfter().main(hello)));
    }
  }

  @Test
  void anInterfaceOfFeignsIsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] base = url(server, "");
      assertEquals("Hello!\n", Printed.by(() -> new FeignAsyncBefore().main(base)));
      assertEquals("Hello!\n", Printed.by(() -> new FeignAsyncAfter().main(base)));
    }
  }

  @Test
  void anObjectOfS3IsTheSameOverHeddle() throws Exception {
    try (HttpServer server = server()) {
      String[] endpoint = url(server, "");
      assertEquals("Hello!\n", Printed.by(() -> new AwsAsyncBefore().main(endpoint)));
      assertEquals("Hello!\n", Printed.by(() -> new AwsAsyncAfter().main(endpoint)));
    }
  }
}
