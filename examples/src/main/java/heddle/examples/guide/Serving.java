package heddle.examples.guide;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.io.IOException;
import java.time.Duration;

/** The code of docs/guide/server-and-load-shedding.md. */
final class Serving {
  private Serving() {}

  static HttpServer start() throws IOException {
    // doc: start
    HttpServer server = HttpServer.builder()
        .port(0) // any free port
        .handler(request -> switch (request.path()) {
          case "/hello" -> Response.ok("Hello!");
          case "/echo" -> Response.ok(request.body());
          default -> Response.of(Status.NOT_FOUND);
        })
        .start();
    // doc: end
    return server;
  }

  static HttpServer limits() throws IOException {
    // doc: limits
    HttpServer server = HttpServer.builder()
        .port(0)
        .maxRequests(500) // handlers at once; more are answered 503 with Retry-After
        .maxConnections(10_000)
        .maxBodyBytes(1 << 20)
        .headTimeout(Duration.ofSeconds(5))
        .handler(Serving::answer)
        .start();
    // doc: end
    return server;
  }

  private static Response answer(Request request) {
    return Response.ok(request.path());
  }
}
