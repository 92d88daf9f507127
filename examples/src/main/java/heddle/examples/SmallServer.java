package heddle.examples;

import heddle.http.Body;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import java.io.IOException;
import java.time.Duration;

/** Shows a server with two routes, whose handler may block because each call has its own thread. */
final class SmallServer {

  void main(String[] args) throws Exception {
    try (HttpServer server = start(args.length > 0 ? Integer.parseInt(args[0]) : 8080)) {
      IO.println("listening on http://127.0.0.1:" + server.port());
      Thread.currentThread().join();
    }
  }

  static HttpServer start(int port) throws IOException {
    return HttpServer.builder()
        .port(port)
        .maxRequests(1_000)
        .headTimeout(Duration.ofSeconds(5))
        .handler(SmallServer::answer)
        .start();
  }

  private static Response answer(Request request) throws IOException {
    return switch (request.path()) {
      case "/greeting" -> Response.ok("Hello!");
      case "/orders" -> request.method().equals(Method.POST) ? take(request) : notAllowed();
      default -> Response.of(Status.NOT_FOUND);
    };
  }

  private static Response take(Request request) throws IOException {
    String order = request.body().string();
    String answer = "{\"taken\":" + order.length() + "}";
    return Response.builder(Status.CREATED)
        .body(Body.of(answer, MediaType.APPLICATION_JSON))
        .build();
  }

  private static Response notAllowed() {
    return Response.builder(Status.of(405)).header("Allow", "POST").build();
  }
}
