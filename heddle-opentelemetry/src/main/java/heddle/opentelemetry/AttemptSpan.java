package heddle.opentelemetry;

import heddle.client.spi.AttemptInfo;
import heddle.client.spi.ConnectionInfo;
import heddle.http.Origin;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Status;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.semconv.HttpAttributes;
import io.opentelemetry.semconv.NetworkAttributes;
import io.opentelemetry.semconv.ServerAttributes;
import io.opentelemetry.semconv.UrlAttributes;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** One attempt: its span, and the attributes of its measurement. Used by one thread at a time. */
final class AttemptSpan {
  private static final int FIRST_ERROR = 400;

  private final Span span;
  private final Context context;
  private final long startedAt = System.nanoTime();

  /** Attributes of both the span and the measurement. */
  private final AttributesBuilder measured = Attributes.builder();

  private @Nullable Status status;
  private @Nullable Throwable failure;
  private boolean ended;

  AttemptSpan(Tracer tracer, Context parent, AttemptInfo attempt, Redaction redaction) {
    Request request = attempt.request();
    Origin origin = request.origin();
    measured
        .put(HttpAttributes.HTTP_REQUEST_METHOD, Conventions.name(request.method()))
        .put(ServerAttributes.SERVER_ADDRESS, origin.host())
        .put(ServerAttributes.SERVER_PORT, (long) origin.port());
    span = tracer
        .spanBuilder(Conventions.spanName(request.method()))
        .setSpanKind(SpanKind.CLIENT)
        .setParent(parent)
        .setAllAttributes(measured.build())
        .setAttribute(UrlAttributes.URL_FULL, redaction.url(request))
        .startSpan();
    if (!Conventions.isKnown(request.method())) {
      span.setAttribute(
          HttpAttributes.HTTP_REQUEST_METHOD_ORIGINAL, request.method().name());
    }
    if (attempt.number() > 1) {
      span.setAttribute(HttpAttributes.HTTP_REQUEST_RESEND_COUNT, (long) attempt.number() - 1);
    }
    context = parent.with(span);
  }

  Context context() {
    return context;
  }

  void uses(ConnectionInfo connection) {
    String version = Conventions.name(connection.version());
    measured.put(NetworkAttributes.NETWORK_PROTOCOL_VERSION, version);
    span.setAttribute(NetworkAttributes.NETWORK_PROTOCOL_VERSION, version);
    if (connection.remoteAddress() instanceof InetSocketAddress peer && peer.getAddress() != null) {
      span.setAttribute(
          NetworkAttributes.NETWORK_PEER_ADDRESS, peer.getAddress().getHostAddress());
      span.setAttribute(NetworkAttributes.NETWORK_PEER_PORT, (long) peer.getPort());
    }
  }

  /** Sets the result of the attempt. Called again when the body has ended. */
  void came(@Nullable Status newStatus, @Nullable Throwable newFailure) {
    // After an attempt that has failed, the status of the call is that of a hedge.
    status = newStatus == null || failure != null ? status : newStatus;
    failure = newFailure == null ? failure : newFailure;
  }

  void end(DoubleHistogram durations) {
    if (ended) {
      return;
    }
    ended = true;
    if (status != null) {
      long code = status.code();
      measured.put(HttpAttributes.HTTP_RESPONSE_STATUS_CODE, code);
      span.setAttribute(HttpAttributes.HTTP_RESPONSE_STATUS_CODE, code);
    }
    String error = errorType();
    if (error != null) {
      Conventions.fail(span, measured, error, failure);
    }
    span.end();
    durations.record(
        (System.nanoTime() - startedAt) / Conventions.NANOS_PER_SECOND, measured.build(), context);
  }

  private @Nullable String errorType() {
    if (failure != null) {
      return failure.getClass().getName();
    }
    return status != null && status.code() >= FIRST_ERROR ? Integer.toString(status.code()) : null;
  }
}
