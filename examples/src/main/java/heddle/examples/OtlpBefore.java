package heddle.examples;

import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.util.concurrent.TimeUnit;

/** Exports a span with OpenTelemetry's own sender; {@link OtlpAfter} has one line changed. */
final class OtlpBefore {
  private static final String CHOICE = "io.opentelemetry.sdk.common.export.HttpSenderProvider";

  void main(String[] args) {
    String collector = args.length > 0 ? args[0] : "http://127.0.0.1:4318";
    // Needed only if there are several senders; on a command line it is -D.
    System.setProperty(
        CHOICE, "io.opentelemetry.exporter.sender.okhttp.internal.OkHttpHttpSenderProvider");
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder().setEndpoint(collector + "/v1/traces").build();
    try (SdkTracerProvider tracers = SdkTracerProvider.builder()
        .addSpanProcessor(SimpleSpanProcessor.create(exporter))
        .build()) {
      tracers.get("loom").spanBuilder("weave").startSpan().end();
      IO.println("exported: " + tracers.forceFlush().join(10, TimeUnit.SECONDS).isSuccess());
    }
  }
}
