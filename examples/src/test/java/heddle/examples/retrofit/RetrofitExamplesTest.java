package heddle.examples.retrofit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.examples.Printed;
import heddle.http.Response;
import heddle.server.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples of Retrofit, run against a test server. */
@Timeout(60)
final class RetrofitExamplesTest {

  @Test
  void anInterfaceOfRetrofitsIsTheSameOverHeddle() throws Exception {
    try (HttpServer server =
        HttpServer.builder().handler(request -> Response.ok("Hello!")).start()) {
      String[] base = {"http://127.0.0.1:" + server.port()};
      assertEquals("Hello!\n", Printed.by(() -> new RetrofitBefore().main(base)));
      assertEquals("Hello!\n", Printed.by(() -> new RetrofitAfter().main(base)));
    }
  }
}
