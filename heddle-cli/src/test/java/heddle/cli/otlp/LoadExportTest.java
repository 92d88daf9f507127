package heddle.cli.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Answer;
import heddle.cli.otlp.Collector.Export;
import heddle.http.Request;
import heddle.load.Load;
import heddle.load.LoadReport;
import heddle.load.schedule.Think;
import io.opentelemetry.proto.metrics.v1.ExponentialHistogramDataPoint;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LoadExportTest {

  private static final List<Request> REQUESTS =
      List.of(Request.get(URI.create("http://127.0.0.1:8080/")));

  private final List<String> meanwhile = new CopyOnWriteArrayList<>();
  private final List<String> atEnd = new CopyOnWriteArrayList<>();

  private static OtlpSettings settings(String url) {
    return OtlpSettings.of(url, List.of(), Map.of("OTEL_METRIC_EXPORT_INTERVAL", "20"));
  }

  @Test
  void loadIsSentWhileItRunsAndWholeAtItsEnd() throws Exception {
    try (Collector collector = new Collector(200)) {
      LoadReport report;
      try (var export =
          new LoadExport(settings(collector.url()), REQUESTS, meanwhile::add, atEnd::add)) {
        report = loadOfThreeExports(collector, export);
      }
      long before = 0;
      for (Export each : collector.exports()) {
        long count = answered(each);
        assertTrue(count >= before, "all so far was less than before");
        before = count;
      }
      assertEquals(report.answered(), before);
      assertTrue(collector.exports().size() > 3);
    }
    assertEquals(List.of(), meanwhile);
    assertEquals(List.of(), atEnd);
  }

  /** A load that is stopped when three exports were made of it. */
  private static LoadReport loadOfThreeExports(Collector collector, LoadExport export)
      throws InterruptedException {
    Load load = Load.of(() -> new Answer(200, 6))
        .callers(2, Think.constant(Duration.ofMillis(1)))
        .lasting(Duration.ofSeconds(50))
        .listener(export);
    Thread stopping = Thread.startVirtualThread(() -> {
      try {
        collector.await(3);
        load.stop();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    LoadReport report = load.run();
    export.ended(report);
    stopping.join();
    return report;
  }

  private static long answered(Export export) {
    return export
        .metrics()
        .get("http.client.request.duration")
        .getExponentialHistogram()
        .getDataPointsList()
        .stream()
        .mapToLong(ExponentialHistogramDataPoint::getCount)
        .sum();
  }

  @Test
  void collectorThatRefusesIsToldOfOnceMeanwhileAndOnceAtTheEnd() throws Exception {
    try (Collector collector = new Collector(503)) {
      try (var export =
          new LoadExport(settings(collector.url()), REQUESTS, meanwhile::add, atEnd::add)) {
        LoadReport report = loadOfThreeExports(collector, export);
        assertTrue(report.answered() > 0);
      }
    }
    assertEquals(1, meanwhile.size(), meanwhile::toString);
    assertTrue(meanwhile.getFirst().contains("the load continues"), meanwhile::toString);
    assertEquals(1, atEnd.size(), atEnd::toString);
  }

  @Test
  void loadThatNeverBeganSendsNothing() throws IOException {
    try (Collector collector = new Collector(200)) {
      new LoadExport(settings(collector.url()), REQUESTS, meanwhile::add, atEnd::add).close();
      assertEquals(List.of(), collector.exports());
    }
    assertEquals(List.of(), atEnd);
  }
}
