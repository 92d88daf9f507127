package heddle.cli.otlp;

import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporter;
import io.opentelemetry.exporter.otlp.http.metrics.OtlpHttpMetricExporterBuilder;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.data.MetricData;
import java.net.ConnectException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sends metrics to a collector. Used by one thread at a time. */
final class Delivery implements AutoCloseable {

  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration ALL = Duration.ofSeconds(5);
  private static final int GRPC_PORT = 4317;

  /** A strong reference, because a collected logger loses its level. */
  private static final Logger EXPORTERS_LOG = Logger.getLogger("io.opentelemetry.exporter");

  private final URI endpoint;
  private final OtlpHttpMetricExporter exporter;

  Delivery(OtlpSettings settings) {
    // Its lines would go into the live view; the sender reports each failure itself.
    EXPORTERS_LOG.setLevel(Level.OFF);
    this.endpoint = settings.endpoint();
    OtlpHttpMetricExporterBuilder builder = OtlpHttpMetricExporter.builder()
        .setEndpoint(endpoint.toString())
        .setConnectTimeout(CONNECT)
        .setTimeout(ALL)
        .setMeterProvider(MeterProvider.noop())
        // The next export includes everything of this one.
        .setRetryPolicy(null);
    settings.headers().forEach(builder::addHeader);
    exporter = builder.build();
  }

  /**
   * Sends metrics and waits for the result.
   *
   * @return why it failed; empty if it did not
   */
  String send(Collection<MetricData> metrics) {
    CompletableResultCode result =
        exporter.export(metrics).join(ALL.toMillis() + 1_000, TimeUnit.MILLISECONDS);
    if (result.isSuccess()) {
      return "";
    }
    Throwable failure = result.getFailureThrowable();
    String why = failure == null ? "no answer within " + ALL.toSeconds() + " s" : text(failure);
    return endpoint.getPort() == GRPC_PORT
        ? why + " (OTLP over HTTP is usually at port 4318; 4317 is for gRPC)"
        : why;
  }

  /** The exporter wraps the failure, which is the only source of the status. */
  private static String text(Throwable failure) {
    if (failure instanceof HttpExportException http && http.getResponse() != null) {
      return "it answers with status " + http.getResponse().getStatusCode();
    }
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
      if (root instanceof ConnectException) {
        return "the connection was refused";
      }
    }
    String message = root.getMessage();
    String name = root.getClass().getSimpleName();
    return message == null || message.isBlank() ? name : message;
  }

  /** The present time in nanoseconds since 1970. */
  static long epochNanos() {
    Instant now = Instant.now();
    return TimeUnit.SECONDS.toNanos(now.getEpochSecond()) + now.getNano();
  }

  URI endpoint() {
    return endpoint;
  }

  @Override
  public void close() {
    var _ = exporter.shutdown().join(1, TimeUnit.SECONDS);
  }
}
