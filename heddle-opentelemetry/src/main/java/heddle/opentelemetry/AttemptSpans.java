package heddle.opentelemetry;

import heddle.client.spi.AttemptFields;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ConnectionInfo;
import heddle.client.spi.ExchangeListener;
import heddle.http.Headers;
import heddle.http.Redaction;
import heddle.http.Request;
import heddle.http.Status;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Starts and ends the spans of the attempts of each call. */
final class AttemptSpans implements ExchangeListener, AttemptFields {
  private final Tracer tracer;
  private final TextMapPropagator propagator;
  private final DoubleHistogram durations;
  private final Redaction redaction;

  /** By call number; an entry lives from the start of a call to its end. */
  private final Map<Long, Traced> calls = new ConcurrentHashMap<>();

  /** A call. Used by the thread that makes it, and then by the one that reads its response. */
  private static final class Traced {
    final Context parent;

    /** The current or last attempt. */
    @Nullable
    AttemptSpan attempt;

    Traced(Context parent) {
      this.parent = parent;
    }
  }

  AttemptSpans(OpenTelemetry telemetry, Redaction redaction) {
    this.tracer = Conventions.tracer(telemetry);
    this.propagator = telemetry.getPropagators().getTextMapPropagator();
    this.durations = Conventions.durations(
        Conventions.meter(telemetry),
        "http.client.request.duration",
        "Duration of HTTP client requests.");
    this.redaction = redaction;
  }

  @Override
  public void callStarted(CallInfo call) {
    calls.put(call.id(), new Traced(Context.current()));
  }

  @Override
  public void attemptStarted(AttemptInfo attempt) {
    Traced call = calls.get(attempt.call().id());
    if (call != null) {
      call.attempt = new AttemptSpan(tracer, call.parent, attempt, redaction);
    }
  }

  /** The fields that propagate the context of the attempt to the server. */
  @Override
  public Headers fields(AttemptInfo attempt) {
    AttemptSpan span = span(attempt);
    if (span == null) {
      return Headers.empty();
    }
    Headers.Builder fields = Headers.builder();
    propagator.inject(span.context(), fields, (carrier, name, value) -> {
      if (carrier != null) {
        carrier.set(name, value);
      }
    });
    return fields.build();
  }

  private @Nullable AttemptSpan span(AttemptInfo attempt) {
    Traced call = calls.get(attempt.call().id());
    return call == null ? null : call.attempt;
  }

  @Override
  public void acquired(
      AttemptInfo attempt, ConnectionInfo connection, boolean reused, Duration took) {
    AttemptSpan span = span(attempt);
    if (span != null) {
      span.uses(connection);
    }
  }

  @Override
  public void attemptEnded(
      AttemptInfo attempt, @Nullable Status status, @Nullable IOException failure) {
    AttemptSpan span = span(attempt);
    if (span != null) {
      span.came(status, failure);
    }
  }

  @Override
  public void retried(AttemptInfo ended, Duration delay) {
    end(ended);
  }

  @Override
  public void followed(AttemptInfo ended, Request next) {
    end(ended);
  }

  private void end(AttemptInfo attempt) {
    AttemptSpan span = span(attempt);
    if (span != null) {
      span.end(durations);
    }
  }

  @Override
  public void callEnded(CallSummary summary) {
    Traced call = calls.remove(summary.call().id());
    AttemptSpan span = call == null ? null : call.attempt;
    if (span != null) {
      // A failure of reading the body is known by now.
      span.came(summary.status(), summary.failure());
      span.end(durations);
    }
  }

  /** The number of running calls. */
  int underWay() {
    return calls.size();
  }
}
