package heddle.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.MediaType;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.server.spi.Attribute;
import heddle.server.spi.ExchangeHandler;
import heddle.testwatch.Conditions;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The meters of a server, by their conventional names and tags. */
@Timeout(60)
class HeddleServerMetricsTest {
  private static final Attribute<String> ROUTE = Attribute.of("route", String.class);

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HeddleServerMetrics metrics = HeddleServerMetrics.builder(registry)
      .tags(Tags.of("server", "test"))
      .route(ROUTE)
      .build();

  @AfterEach
  void close() {
    registry.close();
  }

  @FunctionalInterface
  private interface Visit {
    void to(HttpClient client, HttpServer server) throws Exception;
  }

  private void visit(HttpVersion version, ExchangeHandler handler, Visit visit) throws Exception {
    try (HttpServer server =
            HttpServer.builder().exchangeHandler(metrics.before(handler)).start();
        HttpClient client = HttpClient.builder()
            .version(version)
            .baseUrl("http://localhost:" + server.port())
            .build()) {
      visit.to(client, server);
    }
  }

  /** The only timer, once it has counted a request: that may be after the client's response. */
  private Timer timer() {
    Conditions.await(
        "a request is counted", () -> registry.find("http.server.requests").timers().stream()
            .anyMatch(each -> each.count() > 0));
    assertEquals(1, registry.get("http.server.requests").timers().size());
    return registry.get("http.server.requests").timer();
  }

  private void assertTags(String uri, String status, String outcome, String exception) {
    var id = timer().getId();
    assertEquals(uri, id.getTag("uri"));
    assertEquals(status, id.getTag("status"));
    assertEquals(outcome, id.getTag("outcome"));
    assertEquals(exception, id.getTag("exception"));
    assertEquals("test", id.getTag("server"));
  }

  @ParameterizedTest
  @EnumSource(
      value = HttpVersion.class,
      names = {"HTTP_1_1", "HTTP_2"})
  void requestsAreTimedWithTheConventionalTags(HttpVersion version) throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.set(ROUTE, "/orders/{id}");
      return Response.ok("Hello");
    };
    visit(version, handler, (client, server) -> {
      assertEquals("Hello", client.get("/orders/7").string());
      assertEquals("Hello", client.get("/orders/8").string());
      assertTags("/orders/{id}", "200", "SUCCESS", "none");
      assertEquals("GET", timer().getId().getTag("method"));
      Conditions.await("both are counted", () -> timer().count() >= 2);
      assertEquals(2, timer().count());
    });
  }

  @ParameterizedTest
  @CsvSource({
    "404, NOT_FOUND, CLIENT_ERROR",
    "302, REDIRECTION, REDIRECTION",
    "503, UNKNOWN, SERVER_ERROR",
    "200, UNKNOWN, SUCCESS",
  })
  void withoutARouteTheUriIsNotThePath(int status, String uri, String outcome) throws Exception {
    visit(HttpVersion.HTTP_1_1, exchange -> Response.of(Status.of(status)), (client, server) -> {
      client.get("/secret/" + status).close();
      assertTags(uri, "" + status, outcome, "none");
    });
  }

  @Test
  void aHandlerThatThrowsIsTimedWithItsException() throws Exception {
    ExchangeHandler handler = exchange -> {
      throw new IllegalStateException("on purpose");
    };
    visit(HttpVersion.HTTP_1_1, handler, (client, server) -> {
      assertEquals(500, client.get("/").status().code());
      assertTags("UNKNOWN", "500", "SERVER_ERROR", "IllegalStateException");
    });
  }

  @Test
  void aResponseThatIsCutIsTimedWithItsReason() throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(Response.of(Status.OK));
      out.write(1);
      out.flush();
      throw new IOException("on purpose");
    };
    visit(HttpVersion.HTTP_1_1, handler, (client, server) -> {
      try (Response cut = client.get("/")) {
        assertEquals(200, cut.status().code());
        assertTags("UNKNOWN", "200", "SUCCESS", "IOException");
      }
    });
  }

  @Test
  void clientsCannotInventTags() throws Exception {
    visit(HttpVersion.HTTP_1_1, exchange -> Response.ok("Hello"), (client, server) -> {
      String url = "http://localhost:" + server.port() + "/";
      client.send(Request.builder(url).method(Method.of("MAKE-COFFEE")).build()).close();
      assertEquals("UNKNOWN", timer().getId().getTag("method"));
    });
  }

  @Test
  void timeGoesOnUntilTheContentHasEnded() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    ExchangeHandler handler =
        exchange -> Response.ok(Body.written(MediaType.TEXT_PLAIN_UTF8, out -> {
          out.write('a');
          out.flush();
          try {
            begun.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
        }));
    visit(HttpVersion.HTTP_1_1, handler, (client, server) -> {
      try (Response response = client.get("/")) {
        assertTrue(registry.find("http.server.requests").timers().isEmpty());
        begun.countDown();
        assertEquals("a", response.string());
      }
      assertEquals(1, timer().count());
    });
  }

  @Test
  void whatAServerCountsIsShown() throws Exception {
    ExchangeHandler handler = exchange -> Response.ok(
        exchange.request().path().equals("/gauges")
            ? "" + registry.get("http.server.active").gauge().value()
            : "");
    visit(HttpVersion.HTTP_1_1, handler, (client, server) -> {
      metrics.bind(server);
      assertEquals("1.0", client.get("/gauges").string());
      assertEquals(1, registry.get("http.server.connections").gauge().value());
      assertEquals(
          server.memoryHeld(), registry.get("http.server.memory.held").gauge().value());
      for (String name : new String[] {"connections.refused", "connections.dropped"}) {
        assertEquals(0, registry.get("http.server." + name).functionCounter().count());
      }
      try (var socket = new java.net.Socket("localhost", server.port())) {
        socket
            .getOutputStream()
            .write("no HTTP\r\n\r\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        socket.getInputStream().readAllBytes();
      }
      assertEquals(
          1, registry.get("http.server.client.faults").functionCounter().count());
    });
  }
}
