package heddle.opentelemetry;

import heddle.http.HttpVersion;
import heddle.http.Method;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.SchemaUrls;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the semantic conventions say of clients and servers alike. */
final class Conventions {
  static final double NANOS_PER_SECOND = 1e9;

  private static final String SCOPE = "io.heddle.opentelemetry";
  private static final String SCHEMA = SchemaUrls.V1_45_0;

  /** The boundaries of durations, in seconds. */
  static final List<Double> BOUNDARIES =
      List.of(0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0);

  /** What {@code http.request.method} is for other methods than the known ones. */
  private static final String OTHER_METHOD = "_OTHER";

  /** The mask of what is redacted in URLs. */
  static final String MASK = "REDACTED";

  /** Methods that {@code http.request.method} reports by name. */
  private static final Set<Method> KNOWN = Set.of(
      Method.GET,
      Method.HEAD,
      Method.POST,
      Method.PUT,
      Method.DELETE,
      Method.CONNECT,
      Method.OPTIONS,
      Method.TRACE,
      Method.PATCH);

  private Conventions() {}

  static Tracer tracer(OpenTelemetry telemetry) {
    return telemetry.tracerBuilder(SCOPE).setSchemaUrl(SCHEMA).build();
  }

  static Meter meter(OpenTelemetry telemetry) {
    return telemetry.meterBuilder(SCOPE).setSchemaUrl(SCHEMA).build();
  }

  /** The histogram of the durations of requests, in seconds. */
  static DoubleHistogram durations(Meter meter, String name, String description) {
    return meter
        .histogramBuilder(name)
        .setDescription(description)
        .setUnit("s")
        .setExplicitBucketBoundariesAdvice(BOUNDARIES)
        .build();
  }

  static boolean isKnown(Method method) {
    return KNOWN.contains(method);
  }

  /** The value of {@code http.request.method}. */
  static String name(Method method) {
    return isKnown(method) ? method.name() : OTHER_METHOD;
  }

  /** The name of a span without a route. */
  static String spanName(Method method) {
    return isKnown(method) ? method.name() : "HTTP";
  }

  /** Notes a failed request in its span and in the attributes of its measurement. */
  static void fail(
      Span span, AttributesBuilder measured, String errorType, @Nullable Throwable failure) {
    measured.put(ErrorAttributes.ERROR_TYPE, errorType);
    span.setAttribute(ErrorAttributes.ERROR_TYPE, errorType);
    String message = failure == null ? null : failure.getMessage();
    // No description if it would only repeat the status code.
    span.setStatus(StatusCode.ERROR, message == null ? "" : message);
  }

  /** The value of {@code network.protocol.version}. */
  static String name(HttpVersion version) {
    return switch (version) {
      case HTTP_1_0 -> "1.0";
      case HTTP_1_1 -> "1.1";
      case HTTP_2 -> "2";
    };
  }
}
