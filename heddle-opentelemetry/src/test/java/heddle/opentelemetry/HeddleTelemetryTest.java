package heddle.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.RetryPolicy;
import heddle.client.spi.Interceptor.Hedges;
import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Method;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.SimNetwork;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Scope;
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
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The traces and metrics of a client's calls, by the semantic conventions. */
@Timeout(60)
class HeddleTelemetryTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!";
  private static final String BUSY = "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n";

  private final InMemorySpanExporter spans = InMemorySpanExporter.create();
  private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
  private final OpenTelemetrySdk telemetry = OpenTelemetrySdk.builder()
      .setTracerProvider(SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(spans))
          .build())
      .setMeterProvider(SdkMeterProvider.builder().registerMetricReader(metrics).build())
      .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
      .build();
  private final SimNetwork network = SimNetwork.builder().virtualTime().build();
  private final HeddleTelemetry heddle =
      HeddleTelemetry.builder(telemetry).redactedQueryKeys(Set.of("token")).build();

  @AfterEach
  void close() {
    network.close();
    telemetry.close();
  }

  @FunctionalInterface
  private interface Visit {
    void to(HttpClient client, ScriptedPeer peer) throws Exception;
  }

  /** Runs a visit to a server that serves one connection, which follows the script. */
  private void visit(ScriptedPeer.Script script, Visit visit) throws Exception {
    visit(new ScriptedPeer.Script[] {script}, visit);
  }

  private void visit(ScriptedPeer.Script[] scripts, Visit visit) throws Exception {
    network.run(() -> {
      try (ScriptedPeer peer = ScriptedPeer.inOrder(network, scripts)) {
        try (HttpClient client = client(HttpClient.builder())) {
          visit.to(client, peer);
        }
      }
    });
    assertEquals(0, ((AttemptSpans) heddle.listener()).underWay());
  }

  private HttpClient client(HttpClient.Builder builder) {
    return heddle.client(builder
        .network(network.lasting())
        .redirects(RedirectPolicy.standard())
        .retries(RetryPolicy.onStatus().statuses(503).build())
        .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress())));
  }

  private static ScriptedPeer.Script answering(String... answers) {
    return c -> {
      for (String answer : answers) {
        c.expectHead();
        c.send(answer);
      }
      c.hasMore();
    };
  }

  private static <T> T get(SpanData span, AttributeKey<T> key) {
    return span.getAttributes().get(key);
  }

  private static String text(SpanData span, String key) {
    return get(span, AttributeKey.stringKey(key));
  }

  private static Long number(SpanData span, String key) {
    return get(span, AttributeKey.longKey(key));
  }

  private SpanData onlySpan() {
    List<SpanData> all = spans.getFinishedSpanItems();
    assertEquals(1, all.size(), all::toString);
    return all.getFirst();
  }

  @Test
  void aRedirectIsAResendWithItsOwnSpanAndUrl() throws Exception {
    visit(
        answering("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n", OK),
        (client, peer) -> {
          client.send(Request.get("http://a.test:" + peer.port() + "/old")).close();
          List<SpanData> all = spans.getFinishedSpanItems();
          assertEquals(2, all.size(), all::toString);
          assertEquals(302, number(all.getFirst(), "http.response.status_code"));
          assertNull(number(all.getFirst(), "http.request.resend_count"));
          SpanData second = all.getLast();
          assertEquals(200, number(second, "http.response.status_code"));
          assertEquals(1, number(second, "http.request.resend_count"));
          assertTrue(text(second, "url.full").endsWith("/new"), second::toString);
        });
  }

  @Test
  void spanHasTheStableAttributes() throws Exception {
    visit(answering(OK), (client, peer) -> {
      String url = "http://a.test:" + peer.port() + "/orders?id=7&sig=secret&token=secret&b";
      assertEquals("Hello!", client.send(Request.get(url)).string());
      SpanData span = onlySpan();
      assertEquals("GET", span.getName());
      assertEquals(SpanKind.CLIENT, span.getKind());
      assertEquals(StatusCode.UNSET, span.getStatus().getStatusCode());
      assertEquals("GET", text(span, "http.request.method"));
      assertEquals(200, number(span, "http.response.status_code"));
      assertEquals("a.test", text(span, "server.address"));
      assertEquals(peer.port(), number(span, "server.port"));
      assertEquals(
          "http://a.test:" + peer.port() + "/orders?id=7&sig=REDACTED&token=REDACTED&b",
          text(span, "url.full"));
      assertEquals("1.1", text(span, "network.protocol.version"));
      assertEquals("127.0.0.1", text(span, "network.peer.address"));
      assertEquals(peer.port(), number(span, "network.peer.port"));
      assertNull(number(span, "http.request.resend_count"));
      assertNull(text(span, "error.type"));
    });
  }

  @Test
  void contextOfEachAttemptGoesOutWithItsRequest() throws Exception {
    List<String> heads = new ArrayList<>();
    Span parent = telemetry.getTracer("test").spanBuilder("parent").startSpan();
    ScriptedPeer.Script script = c -> {
      heads.add(c.expectHead());
      c.send(BUSY);
      heads.add(c.expectHead());
      c.send(OK);
      c.hasMore();
    };
    visit(script, (client, peer) -> {
      try (Scope unused = parent.makeCurrent();
          Response response = client.send(Request.get(peer.url("/")))) {
        assertEquals("Hello!", response.string());
      }
    });
    List<SpanData> attempts = spans.getFinishedSpanItems();
    assertEquals(2, attempts.size());
    for (int i = 0; i < 2; i++) {
      SpanData span = attempts.get(i);
      assertEquals(parent.getSpanContext().getSpanId(), span.getParentSpanId());
      String traceparent = "00-%s-%s-".formatted(span.getTraceId(), span.getSpanId());
      assertTrue(heads.get(i).contains(traceparent), heads.get(i));
    }
  }

  @Test
  void hedgeHasTheSameParentAndTheAttemptThatItReplacesHasNoStatus() throws Exception {
    Span parent = telemetry.getTracer("test").spanBuilder("parent").startSpan();
    Hedges hedges = new Hedges(Duration.ofSeconds(1), 1, response -> true);
    network.run(() -> {
      try (ScriptedPeer peer = ScriptedPeer.inOrder(
              network,
              c -> {
                c.expectHead();
                c.drain();
              },
              answering(OK));
          HttpClient client = client(HttpClient.builder()
              .interceptor((request, chain) -> chain.proceed(request, hedges)));
          Scope unused = parent.makeCurrent()) {
        assertEquals("Hello!", client.send(Request.get(peer.url("/"))).string());
      }
    });
    List<SpanData> attempts = spans.getFinishedSpanItems();
    assertEquals(2, attempts.size(), attempts::toString);
    for (SpanData span : attempts) {
      boolean cancelled = text(span, "error.type") != null;
      assertEquals(cancelled ? null : 200L, number(span, "http.response.status_code"));
      assertEquals(parent.getSpanContext().getSpanId(), span.getParentSpanId());
    }
  }

  @Test
  void spanOfAnAsynchronousCallHasTheContextOfItsCallerAsParent() throws Exception {
    Span parent = telemetry.getTracer("test").spanBuilder("parent").startSpan();
    visit(answering(OK), (client, peer) -> {
      CompletableFuture<Response> future;
      try (Scope unused = parent.makeCurrent()) {
        future = client.sendAsync(Request.get(peer.url("/")));
      }
      future.get().close();
      assertEquals(parent.getSpanContext().getSpanId(), onlySpan().getParentSpanId());
      assertEquals(parent.getSpanContext().getTraceId(), onlySpan().getTraceId());
    });
  }

  @Test
  void requestThatIsSentAgainHasASpanForEachAttempt() throws Exception {
    visit(
        answering(BUSY, BUSY, OK),
        (client, peer) -> client.send(Request.get(peer.url("/"))).close());
    List<SpanData> attempts = spans.getFinishedSpanItems();
    assertEquals(3, attempts.size(), attempts::toString);
    for (int i = 0; i < 3; i++) {
      SpanData span = attempts.get(i);
      assertEquals(i == 0 ? null : i, toInt(number(span, "http.request.resend_count")));
      assertEquals(i == 2 ? 200 : 503, number(span, "http.response.status_code"));
      assertEquals(i == 2 ? null : "503", text(span, "error.type"));
      assertEquals(
          i == 2 ? StatusCode.UNSET : StatusCode.ERROR, span.getStatus().getStatusCode());
      assertEquals("", span.getStatus().getDescription());
    }
    assertEquals(3, points().stream().mapToLong(HistogramPointData::getCount).sum());
  }

  private static Integer toInt(Long number) {
    return number == null ? null : Math.toIntExact(number);
  }

  @Test
  void failureIsNamedByItsType() throws Exception {
    visit(new ScriptedPeer.Script[0], (client, peer) -> {
      Request request = Request.get("http://a.test:81/");
      assertThrows(HttpException.class, () -> client.send(request).close());
      SpanData span = onlySpan();
      assertEquals(ConnectFailedException.class.getName(), text(span, "error.type"));
      assertEquals(StatusCode.ERROR, span.getStatus().getStatusCode());
      assertTrue(span.getStatus().getDescription().contains("cannot connect"));
      assertNull(number(span, "http.response.status_code"));
    });
  }

  @Test
  void truncatedResponseIsAFailureThoughItHadAStatus() throws Exception {
    ScriptedPeer.Script script = c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nContent-Length: 60\r\n\r\nHello!");
      c.sleep(Duration.ofMillis(5));
    };
    visit(script, (client, peer) -> {
      Response response = client.send(Request.get(peer.url("/")));
      assertTrue(spans.getFinishedSpanItems().isEmpty(), "the body is still on its way");
      assertThrows(IOException.class, response::bytes);
      response.close();
      SpanData span = onlySpan();
      assertEquals(200, number(span, "http.response.status_code"));
      assertEquals(ConnectionLostException.class.getName(), text(span, "error.type"));
    });
  }

  @Test
  void unknownMethodIsReportedAsOther() throws Exception {
    visit(answering(OK), (client, peer) -> {
      Request request = Request.builder(peer.url("/")).method(Method.of("BREW")).build();
      client.send(request).close();
      SpanData span = onlySpan();
      assertEquals("HTTP", span.getName());
      assertEquals("_OTHER", text(span, "http.request.method"));
      assertEquals("BREW", text(span, "http.request.method_original"));
    });
  }

  private List<HistogramPointData> points() {
    List<MetricData> all = List.copyOf(metrics.collectAllMetrics());
    assertEquals(1, all.size(), all::toString);
    assertEquals("http.client.request.duration", all.getFirst().getName());
    assertEquals("s", all.getFirst().getUnit());
    return List.copyOf(all.getFirst().getHistogramData().getPoints());
  }

  @Test
  void durationIsMeasuredInTheSpecifiedBuckets() throws Exception {
    visit(answering(OK, OK), (client, peer) -> {
      client.send(Request.get(peer.url("/a?id=1"))).close();
      client.send(Request.get(peer.url("/b?id=2"))).close();
    });
    List<HistogramPointData> points = points();
    assertEquals(1, points.size(), "paths are no attributes");
    HistogramPointData point = points.getFirst();
    assertEquals(2, point.getCount());
    assertEquals(
        List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0),
        point.getBoundaries());
    Set<String> keys = new TreeSet<>();
    point.getAttributes().forEach((key, value) -> keys.add(key.getKey()));
    assertEquals(
        Set.of(
            "http.request.method",
            "http.response.status_code",
            "network.protocol.version",
            "server.address",
            "server.port"),
        keys);
  }

  @Test
  void fieldsThatTheUserAddsAreSentWithTheContext() throws Exception {
    network.run(() -> {
      try (ScriptedPeer peer = ScriptedPeer.inOrder(network, c -> {
        String head = c.expectHead().toLowerCase(Locale.ROOT);
        assertTrue(head.contains("\r\ntraceparent: "), head);
        assertTrue(head.contains("\r\nx-before: 1\r\n"), head);
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
      })) {
        HttpClient.Builder own =
            HttpClient.builder().attemptFields(attempt -> Headers.of("x-before", "1"));
        try (HttpClient client = client(own)) {
          assertEquals(200, client.send(Request.get(peer.url("/"))).status().code());
        }
      }
    });
  }
}
