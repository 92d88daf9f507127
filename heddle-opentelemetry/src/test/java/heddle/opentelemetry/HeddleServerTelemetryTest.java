package heddle.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.server.spi.Attribute;
import heddle.server.spi.ExchangeHandler;
import heddle.testwatch.Conditions;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The traces and metrics of a server's requests, by the semantic conventions. */
@Timeout(60)
class HeddleServerTelemetryTest {
  private static final Attribute<String> ROUTE = Attribute.of("route", String.class);
  private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
  private static final String PARENT = "b7ad6b7169203331";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
      .setTracerProvider(SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(spans))
          .build())
      .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
      .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
      .build();
  private final HeddleServerTelemetry heddle = HeddleServerTelemetry.builder(telemetry)
      .redactedQueryKeys(Set.of("token"))
      .route(ROUTE)
      .build();

  @AfterEach
  void close() {
    telemetry.close();
  }

  @FunctionalInterface
  private interface Visit {
    void to(HttpClient client, HttpServer server) throws Exception;
  }

  private void visit(HttpVersion version, ExchangeHandler handler, Visit visit) throws Exception {
    try (HttpServer server =
            HttpServer.builder().exchangeHandler(heddle.before(handler)).start();
        HttpClient client = HttpClient.builder()
            .version(version)
            .userAgent("test/1")
            .baseUrl("http://localhost:" + server.port())
            .build()) {
      visit.to(client, server);
    }
  }

  /** The only span, once it has ended: that may be after the client has its response. */
  private SpanData span() {
    Conditions.await("a span has ended", () -> !spans.getFinishedSpanItems().isEmpty());
    List<SpanData> all = spans.getFinishedSpanItems();
    assertEquals(1, all.size(), all::toString);
    return all.getFirst();
  }

  private static String text(Attributes attributes, String key) {
    return attributes.get(AttributeKey.stringKey(key));
  }

  private static Long number(Attributes attributes, String key) {
    return attributes.get(AttributeKey.longKey(key));
  }

  private MetricData metric(String name) {
    return metrics.collectAllMetrics().stream()
        .filter(each -> each.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The only point of a histogram, once it was recorded, just after the end of the span. */
  private HistogramPointData histogram(String name) {
    Conditions.await("a request is measured", () -> metrics.collectAllMetrics().stream()
        .anyMatch(each -> each.getName().equals("http.server.response.body.size")));
    return metric(name).getHistogramData().getPoints().iterator().next();
  }

  private long sum(String name) {
    return metric(name).getLongSumData().getPoints().iterator().next().getValue();
  }

  @ParameterizedTest
  @CsvSource({"HTTP_1_1, 1.1", "HTTP_2, 2"})
  void aRequestIsASpanWithTheConventionalAttributes(HttpVersion version, String name)
      throws Exception {
    ExchangeHandler handler = exchange -> {
      exchange.set(ROUTE, "/orders/{id}");
      assertEquals(TRACE, Span.current().getSpanContext().getTraceId());
      assertEquals(1, sum("http.server.active_requests"));
      return Response.ok("Hello");
    };
    visit(version, handler, (client, server) -> {
      String url = "http://localhost:" + server.port() + "/orders/7?token=secret&a=1";
      Request request = Request.builder(url)
          .method(Method.POST)
          .header("traceparent", "00-" + TRACE + "-" + PARENT + "-01")
          .body(Body.of("abc"))
          .build();
      assertEquals("Hello", client.send(request).string());
      SpanData span = span();
      Attributes own = span.getAttributes();
      assertEquals("POST /orders/{id}", span.getName());
      assertEquals(SpanKind.SERVER, span.getKind());
      assertEquals(TRACE, span.getTraceId());
      assertEquals(PARENT, span.getParentSpanId());
      assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
      assertEquals("POST", text(own, "http.request.method"));
      assertEquals("http", text(own, "url.scheme"));
      assertEquals("/orders/7", text(own, "url.path"));
      assertEquals("token=REDACTED&a=1", text(own, "url.query"));
      assertEquals("localhost", text(own, "server.address"));
      assertEquals(server.port(), number(own, "server.port"));
      assertEquals("127.0.0.1", text(own, "client.address"));
      assertEquals("127.0.0.1", text(own, "network.peer.address"));
      assertTrue(number(own, "network.peer.port") > 0);
      assertEquals(name, text(own, "network.protocol.version"));
      assertEquals("test/1", text(own, "user_agent.original"));
      assertEquals("/orders/{id}", text(own, "http.route"));
      assertEquals(200, number(own, "http.response.status_code"));
      assertNull(text(own, "error.type"));

      HistogramPointData duration = histogram("http.server.request.duration");
      assertEquals("s", metric("http.server.request.duration").getUnit());
      assertEquals(Conventions.BOUNDARIES, duration.getBoundaries());
      assertEquals(1, duration.getCount());
      assertTrue(duration.getSum() > 0 && duration.getSum() < 60, duration::toString);
      Attributes measured = duration.getAttributes();
      assertEquals(5, measured.size(), measured::toString);
      assertEquals("POST", text(measured, "http.request.method"));
      assertEquals("http", text(measured, "url.scheme"));
      assertEquals("/orders/{id}", text(measured, "http.route"));
      assertEquals(200, number(measured, "http.response.status_code"));
      assertEquals(name, text(measured, "network.protocol.version"));
      assertEquals(3, histogram("http.server.request.body.size").getSum());
      assertEquals(5, histogram("http.server.response.body.size").getSum());
      assertEquals(0, sum("http.server.active_requests"));
    });
  }

  @ParameterizedTest
  @CsvSource({"404, ", "503, 503"})
  void onlyTheServersErrorsAreErrors(int status, String error) throws Exception {
    visit(HttpVersion.HTTP_1_1, exchange -> Response.of(Status.of(status)), (client, server) -> {
      client.get("/").close();
      assertEquals("GET", span().getName());
      assertNull(text(span().getAttributes(), "http.route"));
      assertEquals(error, text(span().getAttributes(), "error.type"));
      assertEquals(
          error, text(histogram("http.server.request.duration").getAttributes(), "error.type"));
      assertEquals(
          error == null ? StatusCode.UNSET : StatusCode.ERROR,
          span().getStatus().getStatusCode());
    });
  }

  @Test
  void aHandlerThatThrowsIsAnError() throws Exception {
    ExchangeHandler handler = exchange -> {
      throw new IllegalStateException("on purpose");
    };
    visit(HttpVersion.HTTP_1_1, handler, (client, server) -> {
      assertEquals(500, client.get("/").status().code());
      Attributes own = span().getAttributes();
      assertEquals(500, number(own, "http.response.status_code"));
      assertEquals("java.lang.IllegalStateException", text(own, "error.type"));
      assertEquals("on purpose", span().getStatus().getDescription());
    });
  }

  @Test
  void aResponseThatIsCutIsAnError() throws Exception {
    ExchangeHandler handler = exchange -> {
      OutputStream out = exchange.begin(Response.of(Status.OK));
      out.write(1);
      out.flush();
      throw new IOException("on purpose");
    };
    visit(HttpVersion.HTTP_2, handler, (client, server) -> {
      try (Response cut = client.get("/")) {
        assertEquals(200, cut.status().code());
        Attributes own = span().getAttributes();
        assertEquals(200, number(own, "http.response.status_code"));
        assertEquals("java.io.IOException", text(own, "error.type"));
      }
      assertEquals(1, histogram("http.server.response.body.size").getSum());
      assertEquals(0, sum("http.server.active_requests"));
    });
  }

  @Test
  void otherMethodsAreNotTakenFromTheClient() throws Exception {
    visit(HttpVersion.HTTP_1_1, exchange -> Response.ok("Hello"), (client, server) -> {
      String url = "http://localhost:" + server.port() + "/";
      client.send(Request.builder(url).method(Method.of("MAKE-COFFEE")).build()).close();
      assertEquals("HTTP", span().getName());
      assertEquals("_OTHER", text(span().getAttributes(), "http.request.method"));
      assertEquals("MAKE-COFFEE", text(span().getAttributes(), "http.request.method_original"));
      assertEquals(
          "_OTHER",
          text(histogram("http.server.request.duration").getAttributes(), "http.request.method"));
    });
  }

  @Test
  void whatAServerCountsIsObserved() throws Exception {
    visit(HttpVersion.HTTP_1_1, exchange -> Response.ok("Hello"), (client, server) -> {
      Attributes attributes = Attributes.of(AttributeKey.stringKey("server"), "test");
      try (BatchCallback ignored = heddle.observe(server, attributes)) {
        client.get("/").close();
        assertEquals(1, sum("heddle.server.connections"));
        assertEquals(server.memoryHeld(), sum("heddle.server.memory.held"));
        assertEquals(0, sum("heddle.server.connections.refused"));
        assertEquals(0, sum("heddle.server.connections.dropped"));
        assertEquals(0, sum("heddle.server.client_faults"));
        MetricData active = metric("heddle.server.requests.active");
        assertEquals(
            attributes, active.getLongSumData().getPoints().iterator().next().getAttributes());
      }
      assertTrue(metrics.collectAllMetrics().stream()
          .noneMatch(each -> each.getName().startsWith("heddle.server.")));
    });
  }
}
