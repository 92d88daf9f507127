package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.cli.otlp.Collector;
import heddle.cli.otlp.Collector.Export;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a load sends to a collector of OpenTelemetry. */
@Timeout(120)
class LoadMetricsTest {

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.builder()
        .handler(request -> switch (request.path()) {
          case "/made" -> Response.of(Status.of(201));
          case "/busy" -> Response.of(Status.of(503));
          default -> Response.ok("Hello!");
        })
        .start();
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.port() + path;
  }

  @Test
  void collectorHasExactlyWhatWasAnsweredAndWhatFailed(@TempDir Path folder) throws IOException {
    Path list =
        Files.writeString(folder.resolve("list"), "GET /hello\n\nPOST /made\n= a\n\nGET /busy\n\n");
    Export export;
    try (Collector collector = new Collector(200)) {
      Ran ran = Ran.of(
          "load",
          url("/"),
          "-n",
          "300",
          "-c",
          "2",
          "--replay",
          list.toString(),
          "--otlp",
          collector.url(),
          "--otlp-header",
          "api-key: a:b");
      assertEquals(0, ran.code(), ran::toString);
      assertEquals("", ran.err());
      export = collector.last();
    }
    assertEquals("/v1/metrics", export.request().target());
    assertEquals("a:b", export.request().headers().first("api-key"));
    assertEquals("application/x-protobuf", export.request().headers().first("Content-Type"));
    String resource = Collector.text(export.resource().getResource().getAttributesList());
    assertTrue(resource.contains("service.name=heddle,"), resource);
    assertTrue(resource.contains("service.instance.id="), resource);

    Metric durations = export.metrics().get("http.client.request.duration");
    assertEquals("s", durations.getUnit());
    assertEquals(
        AggregationTemporality.AGGREGATION_TEMPORALITY_CUMULATIVE,
        durations.getExponentialHistogram().getAggregationTemporality());
    String common = "server.address=127.0.0.1, server.port=" + server.port() + ", url.scheme=http}";
    Map<String, Long> answered = new TreeMap<>();
    for (ExponentialHistogramDataPoint each :
        durations.getExponentialHistogram().getDataPointsList()) {
      answered.put(Collector.text(each.getAttributesList()), each.getCount());
      long inBuckets = each.getZeroCount()
          + each.getPositive().getBucketCountsList().stream()
              .mapToLong(Long::longValue)
              .sum();
      assertEquals(each.getCount(), inBuckets);
      assertTrue(each.getMin() > 0 && each.getMin() <= each.getMax() && each.getMax() < 60);
    }
    assertEquals(
        Map.of(
            "{http.response.status_code=200, " + common, 100L,
            "{http.response.status_code=201, " + common, 100L),
        answered);
    assertEquals(answered, sums(export.metrics().get("heddle.load.answers")));
    assertEquals(
        Map.of("{error.type=503, http.response.status_code=503, " + common, 100L),
        sums(export.metrics().get("heddle.load.failures")));
    assertEquals(
        0,
        export
            .metrics()
            .get("heddle.load.in_flight")
            .getGauge()
            .getDataPoints(0)
            .getAsInt());
  }

  private static Map<String, Long> sums(Metric metric) {
    assertTrue(metric.getSum().getIsMonotonic());
    Map<String, Long> sums = new TreeMap<>();
    for (NumberDataPoint each : metric.getSum().getDataPointsList()) {
      sums.put(Collector.text(each.getAttributesList()), each.getAsInt());
    }
    return sums;
  }

  @Test
  void openLoadSendsItsLagAndWhatAllRequestsShare() throws IOException {
    Export export;
    try (Collector collector = new Collector(200)) {
      Ran ran = Ran.of(
          "load",
          url("/hello"),
          "-n",
          "50",
          "-r",
          "1000",
          "--max-lag",
          "1m",
          "--otlp",
          collector.url() + "/v1/metrics/");
      assertEquals(0, ran.code(), ran::toString);
      export = collector.last();
    }
    assertEquals("/v1/metrics", export.request().target());
    ExponentialHistogramDataPoint lag =
        export.metrics().get("heddle.load.send_lag").getExponentialHistogram().getDataPoints(0);
    assertEquals(50, lag.getCount());
    assertTrue(
        Collector.text(lag.getAttributesList()).startsWith("{http.request.method=GET, "),
        () -> Collector.text(lag.getAttributesList()));
  }

  @Test
  void collectorThatIsNotThereSpoilsNothingAndIsToldOf() throws IOException {
    int port;
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = unused.getLocalPort();
    }
    Ran ran = Ran.of("load", url("/hello"), "-n", "20", "--otlp", "http://127.0.0.1:" + port);
    assertEquals(0, ran.code(), ran::toString);
    assertTrue(ran.out().startsWith("20 answered in "), ran::out);
    assertEquals(1, ran.err().lines().count(), ran::err);
    assertTrue(ran.err().contains("(20 answered, 0 failed): the connection was refused"), ran::err);
  }

  @Test
  void collectorThatRefusesIsToldOfWithItsStatus() throws IOException {
    try (Collector collector = new Collector(401)) {
      Ran ran = Ran.of("load", url("/hello"), "-n", "20", "--otlp", collector.url());
      assertEquals(0, ran.code(), ran::toString);
      assertTrue(ran.err().contains("it answers with status 401"), ran::err);
    }
  }

  @Test
  void wrongOptionsAreRefused() {
    Ran.of("load", url("/"), "-n", "1", "--otlp", "collector").assertRefused("--otlp", "4318");
    Ran.of("load", url("/"), "-n", "1", "--otlp-header", "a: b").assertRefused("--otlp");
    Ran.of("load", url("/"), "-n", "1", "--otlp", "http://a:1", "--otlp-header", "a")
        .assertRefused("NAME: VALUE");
  }

  @Test
  void commandsThatSendNoMetricsAndShowNoViewLoadNothingOfBoth(@TempDir Path folder)
      throws Exception {
    Path classes = folder.resolve("classes");
    for (List<String> arguments :
        List.of(List.of("get", url("/hello")), List.of("load", url("/hello"), "-n", "5"))) {
      List<String> command = new ArrayList<>(List.of(
          Path.of(System.getProperty("java.home"), "bin", "java").toString(),
          "-XX:TieredStopAtLevel=1",
          "-Xlog:class+load:file=" + classes,
          "-cp",
          System.getProperty("java.class.path"),
          "heddle.cli.Main"));
      command.addAll(arguments);
      Process process = new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(folder.resolve("out").toFile())
          .start();
      try {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it goes on");
      } finally {
        process.destroyForcibly();
      }
      assertEquals(0, process.exitValue(), () -> arguments.toString());
      String loaded = Files.readString(classes);
      assertTrue(loaded.contains("heddle.cli.Main "), "the classes are not listed");
      assertFalse(loaded.contains("io.opentelemetry."), arguments::toString);
      assertFalse(loaded.contains("org.jline.terminal."), arguments::toString);
    }
  }
}
