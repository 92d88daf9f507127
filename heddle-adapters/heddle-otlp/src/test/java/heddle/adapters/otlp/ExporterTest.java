package heddle.adapters.otlp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** OpenTelemetry's exporters find Heddle, which is the only sender on the class path here. */
@Timeout(60)
final class ExporterTest {
  private static final SpanData SPAN = TestSpanData.builder()
      .setName("weave")
      .setKind(SpanKind.CLIENT)
      .setSpanContext(SpanContext.create(
          "0123456789abcdef0123456789abcdef",
          "0123456789abcdef",
          TraceFlags.getSampled(),
          TraceState.getDefault()))
      .setStatus(StatusData.ok())
      .setAttributes(Attributes.empty())
      .setStartEpochNanos(1)
      .setEndEpochNanos(2)
      .setHasEnded(true)
      .build();

  private static boolean succeeded(CompletableResultCode result) {
    return result.join(30, TimeUnit.SECONDS).isSuccess();
  }

  @Test
  void spansAreExported() throws Exception {
    try (MockServer server = MockServer.start();
        OtlpHttpSpanExporter exporter = OtlpHttpSpanExporter.builder()
            .setEndpoint(server.url("/v1/traces"))
            .setCompression("gzip")
            .addHeader("X-Tenant", "loom")
            .build()) {
      server.answer("/v1/traces", MockResponse.of(200));
      assertTrue(succeeded(exporter.export(List.of(SPAN))));
      RecordedRequest sent = server.takeRequest();
      assertEquals("application/x-protobuf", sent.header("Content-Type"));
      assertEquals("gzip", sent.header("Content-Encoding"));
      assertEquals("loom", sent.header("X-Tenant"));
      assertTrue(sent.header("User-Agent").startsWith("OTel"), sent.header("User-Agent"));
    }
  }

  @Test
  void contentIsWhatTheExporterWrites() throws Exception {
    try (MockServer server = MockServer.start();
        OtlpHttpSpanExporter exporter =
            OtlpHttpSpanExporter.builder().setEndpoint(server.url("/v1/traces")).build()) {
      server.answer("/v1/traces", MockResponse.of(200));
      assertTrue(succeeded(exporter.export(List.of(SPAN))));
      String sent = new String(server.takeRequest().body(), StandardCharsets.ISO_8859_1);
      assertTrue(sent.contains("weave"), sent);
    }
  }

  @Test
  void refusalIsAnExportThatFailed() throws Exception {
    try (MockServer server = MockServer.start();
        OtlpHttpMetricExporter exporter = OtlpHttpMetricExporter.builder()
            .setEndpoint(server.url("/v1/metrics"))
            .setTimeout(Duration.ofSeconds(10))
            .build()) {
      server.answer("/v1/metrics", MockResponse.of(400));
      assertFalse(succeeded(exporter.export(List.of())));
    }
  }

  @Test
  void exporterThatIsShutDownEndsItsSender() throws Exception {
    try (MockServer server = MockServer.start()) {
      OtlpHttpSpanExporter exporter =
          OtlpHttpSpanExporter.builder().setEndpoint(server.url("/v1/traces")).build();
      assertTrue(succeeded(exporter.shutdown()));
      assertFalse(succeeded(exporter.export(List.of(SPAN))));
    }
  }
}
