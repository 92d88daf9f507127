package heddle.opentelemetry;

import heddle.http.Headers;
import heddle.http.Redaction;
import heddle.http.Response;
import heddle.server.HttpServer;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.ExchangeWatch;
import heddle.server.spi.Filter;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.BatchCallback;
import io.opentelemetry.api.metrics.LongHistogram;
import io.opentelemetry.api.metrics.LongUpDownCounter;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Traces and measures the requests of a server, as a filter, by the stable <a
 * href="https://opentelemetry.io/docs/specs/semconv/http/">semantic conventions for HTTP</a>.
 * Thread-safe. Needs heddle-server, which a program with this class has anyway.
 *
 * <pre>{@code
 * HeddleServerTelemetry telemetry = HeddleServerTelemetry.builder(sdk).build();
 * HttpServer server = HttpServer.builder().exchangeHandler(telemetry.before(handler)).start();
 * }</pre>
 *
 * <ul>
 *   <li>Each request is a span of kind server, a child of the context that the configured
 *       propagators find in its fields. It ends with its response: when the last content has been
 *       handed to the connection, or when it was cut. Its context is current while the handler
 *       runs, but not while a returned body is written after that.
 *   <li>Its duration is recorded in the histogram {@code http.server.request.duration}, the length
 *       of its content, if known, in {@code http.server.request.body.size}, that of the response's
 *       in {@code http.server.response.body.size}.
 *   <li>{@code http.server.active_requests} counts those that are being answered.
 * </ul>
 *
 * <p>{@code error.type} is the class of what the handler has thrown, or of why the response was
 * cut, else the status if that is 5xx; a 4xx is the client's error. Metrics have no attribute that
 * clients can choose freely: methods outside the conventions are {@code _OTHER}, and
 * {@code http.route} exists only if {@link Builder#route} is set.
 */
public final class HeddleServerTelemetry implements Filter {
  private static final String PREFIX = "http.server.";

  private static final TextMapGetter<Headers> GETTER = new TextMapGetter<>() {
    @Override
    public @Nullable String get(@Nullable Headers carrier, String key) {
      return carrier == null ? null : carrier.first(key);
    }

    @Override
    public Iterator<String> getAll(@Nullable Headers carrier, String key) {
      return carrier == null ? Collections.emptyIterator() : carrier.all(key).iterator();
    }
  };

  private final Tracer tracer;
  private final Meter meter;
  private final TextMapPropagator propagator;
  private final Redaction redaction;
  private final @Nullable Attribute<String> route;
  private final LongUpDownCounter active;
  private final ServerSpan.Instruments instruments;

  private HeddleServerTelemetry(Builder builder) {
    OpenTelemetry telemetry = builder.telemetry;
    tracer = Conventions.tracer(telemetry);
    meter = Conventions.meter(telemetry);
    propagator = telemetry.getPropagators().getTextMapPropagator();
    redaction = builder.redaction;
    route = builder.route;
    active = meter
        .upDownCounterBuilder(PREFIX + "active_requests")
        .setDescription("Number of active HTTP server requests.")
        .setUnit("{request}")
        .build();
    instruments = new ServerSpan.Instruments(
        Conventions.durations(
            meter, PREFIX + "request.duration", "Duration of HTTP server requests."),
        bodySize("request"),
        bodySize("response"));
  }

  private LongHistogram bodySize(String message) {
    return meter
        .histogramBuilder(PREFIX + message + ".body.size")
        .setDescription("Size of HTTP server " + message + " bodies.")
        .setUnit("By")
        .ofLongs()
        .build();
  }

  /** A builder of traces and metrics for this SDK. */
  public static Builder builder(OpenTelemetry telemetry) {
    return new Builder(telemetry);
  }

  /** Builds the telemetry. Not thread-safe. */
  public static final class Builder {
    private final OpenTelemetry telemetry;
    private Redaction redaction = Redaction.DEFAULTS.withMask(Conventions.MASK);
    private @Nullable Attribute<String> route;

    private Builder(OpenTelemetry telemetry) {
      this.telemetry = Objects.requireNonNull(telemetry, "telemetry");
    }

    /**
     * Adds query parameters whose values are redacted in {@code url.query}, in addition to those
     * that {@link HeddleTelemetry.Builder#redactedQueryKeys} names.
     *
     * @param keys as in the query, case-sensitive
     */
    public Builder redactedQueryKeys(Set<String> keys) {
      redaction = redaction.withParameters(keys.toArray(String[]::new));
      return this;
    }

    /**
     * The attribute in which the router leaves the template of the route, such as {@code
     * /orders/{id}}, for {@code http.route}. It must never be the path itself, because each value
     * is a separate time series.
     */
    public Builder route(Attribute<String> attribute) {
      route = Objects.requireNonNull(attribute, "route");
      return this;
    }

    /** Builds the telemetry. */
    public HeddleServerTelemetry build() {
      return new HeddleServerTelemetry(this);
    }
  }

  @Override
  public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
    Context parent = propagator.extract(Context.current(), exchange.request().headers(), GETTER);
    ServerSpan span = new ServerSpan(tracer, parent, exchange, redaction, route);
    Attributes counted = span.activeAttributes();
    active.add(1, counted, span.context());
    try (Scope ignored = span.context().makeCurrent()) {
      return ExchangeWatch.answer(exchange, next, end -> {
        active.add(-1, counted, span.context());
        span.end(end, instruments);
      });
    }
  }

  /**
   * Observes what a server counts: {@code heddle.server.requests.active}, {@code
   * heddle.server.connections}, {@code heddle.server.memory.held} (in bytes), and, growing, {@code
   * heddle.server.connections.refused}, {@code heddle.server.connections.dropped} and {@code
   * heddle.server.client_faults}, as {@link HttpServer} describes them.
   *
   * @param attributes to tell several servers apart
   * @return ends the observation, which until then keeps the server reachable
   */
  public BatchCallback observe(HttpServer server, Attributes attributes) {
    ObservableLongMeasurement requests = level("requests.active", "{request}");
    ObservableLongMeasurement connections = level("connections", "{connection}");
    ObservableLongMeasurement memory = level("memory.held", "By");
    ObservableLongMeasurement refused = count("connections.refused", "{connection}");
    ObservableLongMeasurement dropped = count("connections.dropped", "{connection}");
    ObservableLongMeasurement faults = count("client_faults", "{fault}");
    return meter.batchCallback(
        () -> {
          requests.record(server.active(), attributes);
          connections.record(server.connections(), attributes);
          memory.record(server.memoryHeld(), attributes);
          refused.record(server.refusedConnections(), attributes);
          dropped.record(server.droppedConnections(), attributes);
          faults.record(server.clientFaults(), attributes);
        },
        requests,
        connections,
        memory,
        refused,
        dropped,
        faults);
  }

  private ObservableLongMeasurement level(String name, String unit) {
    return meter.upDownCounterBuilder("heddle.server." + name).setUnit(unit).buildObserver();
  }

  private ObservableLongMeasurement count(String name, String unit) {
    return meter.counterBuilder("heddle.server." + name).setUnit(unit).buildObserver();
  }
}
