package heddle.examples.guide;

import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.http.Body;
import heddle.http.Headers;
import heddle.http.MediaType;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.Filter;
import java.io.IOException;
import java.io.Writer;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;

/** The code of docs/guide/server.md and docs/guide/server-and-load-shedding.md. */
final class Serving {
  private static final MediaType CSV = MediaType.parse("text/csv; charset=utf-8");

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

  static ExchangeHandler whoIsAsking() {
    // doc: exchange
    ExchangeHandler handler = exchange -> {
      List<Certificate> client = exchange.clientCertificates(); // empty unless asked for
      String from = exchange.remoteAddress() + ", connection " + exchange.connectionId();
      return Response.ok(from + " over " + exchange.version() + ", certificates: " + client.size());
    };
    // doc: end
    return handler;
  }

  static ExchangeHandler writing() {
    // doc: writing
    ExchangeHandler countdown = exchange -> {
      try (Writer out = exchange.writer(Response.of(Status.OK))) {
        for (int i = 3; i > 0; i--) {
          out.write(i + "\n");
          out.flush(); // sends it
          Thread.sleep(100);
        }
      }
      return null; // the response was written
    };
    // doc: end
    return countdown;
  }

  static Response written(List<String> rows) {
    // doc: written
    Response report = Response.ok(Body.written(CSV, out -> {
      for (String row : rows) {
        out.write((row + "\n").getBytes(UTF_8));
      }
    }));
    // doc: end
    return report;
  }

  static ExchangeHandler hints() {
    // doc: hints
    ExchangeHandler page = exchange -> {
      Headers links = Headers.of("Link", "</style.css>; rel=preload; as=style");
      exchange.interim(Status.EARLY_HINTS, links);
      return Response.ok(slowlyMadePage());
    };
    // doc: end
    return page;
  }

  static ExchangeHandler filtered(ExchangeHandler handler) {
    // doc: filter
    Filter authentication =
        (exchange, next) -> "secret".equals(exchange.request().headers().first("X-Api-Key"))
            ? next.handle(exchange)
            : Response.of(Status.UNAUTHORIZED);
    ExchangeHandler guarded = authentication.before(handler);
    // doc: end
    return guarded;
  }

  private static Response answer(Request request) {
    return Response.ok(request.path());
  }

  private static String slowlyMadePage() {
    return "a page";
  }
}
