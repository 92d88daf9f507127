package heddle.micrometer;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.server.HttpServer;
import heddle.server.spi.Attribute;
import heddle.server.spi.Exchange;
import heddle.server.spi.ExchangeHandler;
import heddle.server.spi.ExchangeSummary;
import heddle.server.spi.ExchangeWatch;
import heddle.server.spi.Filter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.HttpMethods;
import io.micrometer.core.instrument.binder.http.Outcome;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a server, as a filter, and of what it holds. Thread-safe. Needs heddle-server,
 * which a program with this class has anyway.
 *
 * <pre>{@code
 * HeddleServerMetrics metrics = HeddleServerMetrics.builder(registry).build();
 * HttpServer server = HttpServer.builder().exchangeHandler(metrics.before(handler)).start();
 * metrics.bind(server);
 * }</pre>
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>kind</th><th>what</th></tr>
 *   <tr><td>{@code http.server.requests}</td><td>timer</td><td>requests, from when they reach the
 *       filter until the last content of their response is sent, or it is cut; tags {@code method},
 *       {@code uri}, {@code status}, {@code outcome}, {@code exception}</td></tr>
 *   <tr><td>{@code http.server.active}</td><td>gauge</td><td>requests being answered</td></tr>
 *   <tr><td>{@code http.server.connections}</td><td>gauge</td><td>open connections</td></tr>
 *   <tr><td>{@code http.server.connections.refused}, {@code .dropped}</td><td>counters</td>
 *       <td>{@link HttpServer#refusedConnections}, {@link HttpServer#droppedConnections}</td></tr>
 *   <tr><td>{@code http.server.client.faults}</td><td>counter</td>
 *       <td>{@link HttpServer#clientFaults}</td></tr>
 *   <tr><td>{@code http.server.memory.held}</td><td>gauge, bytes</td>
 *       <td>{@link HttpServer#memoryHeld}</td></tr>
 * </table>
 *
 * <p>The tag {@code method} of methods outside RFC 9110 and RFC 5789 is {@code UNKNOWN}, because
 * clients could invent any number. {@code uri} is the template of the route, see {@link
 * Builder#route}; without one it is {@code NOT_FOUND} for 404, {@code REDIRECTION} for 3xx, else
 * {@code UNKNOWN}. {@code exception} is the simple name of what the handler has thrown, or of why
 * the response was cut, else {@code none}; {@code status} is that of the response all the same.
 */
public final class HeddleServerMetrics implements Filter {
  private static final String PREFIX = "http.server.";

  private final MeterRegistry registry;
  private final Tags tags;
  private final @Nullable Attribute<String> route;
  private final Meter.MeterProvider<Timer> requests;

  private HeddleServerMetrics(Builder builder) {
    registry = builder.registry;
    tags = builder.tags;
    route = builder.route;
    requests = Timer.builder(PREFIX + "requests")
        .description("Requests, until the last content of their response is sent")
        .tags(tags)
        .withRegistry(registry);
  }

  /** A builder of meters in this registry. */
  public static Builder builder(MeterRegistry registry) {
    return new Builder(registry);
  }

  /** Builds the meters. Not thread-safe. */
  public static final class Builder {
    private final MeterRegistry registry;
    private Tags tags = Tags.empty();
    private @Nullable Attribute<String> route;

    private Builder(MeterRegistry registry) {
      this.registry = Objects.requireNonNull(registry, "registry");
    }

    /**
     * Sets tags for all meters. Servers of one registry need one that distinguishes them; otherwise
     * the gauges of the second server are not registered.
     */
    public Builder tags(Iterable<Tag> common) {
      tags = Tags.of(common);
      return this;
    }

    /**
     * The attribute in which the router leaves the template of the route, such as {@code
     * /orders/{id}}, for the tag {@code uri}. It must never be the path itself, because each value
     * is a separate time series.
     */
    public Builder route(Attribute<String> attribute) {
      route = Objects.requireNonNull(attribute, "route");
      return this;
    }

    /** Builds the meters. */
    public HeddleServerMetrics build() {
      return new HeddleServerMetrics(this);
    }
  }

  /** Registers the gauges and counters of a server, which they do not keep reachable. */
  public void bind(HttpServer server) {
    gauge("active", "Requests being answered", server, HttpServer::active);
    gauge("connections", "Open connections", server, HttpServer::connections);
    counter(
        "connections.refused",
        "Connections that were refused",
        server,
        HttpServer::refusedConnections);
    counter(
        "connections.dropped",
        "Connections that were closed without a response",
        server,
        HttpServer::droppedConnections);
    counter(
        "client.faults",
        "Requests and connections that ended by the client's fault",
        server,
        HttpServer::clientFaults);
    Gauge.builder(PREFIX + "memory.held", server, HttpServer::memoryHeld)
        .description("What the server holds for its peers")
        .baseUnit("bytes")
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      String name, String description, HttpServer server, ToDoubleFunction<HttpServer> value) {
    Gauge.builder(PREFIX + name, server, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  private void counter(
      String name, String description, HttpServer server, ToDoubleFunction<HttpServer> value) {
    FunctionCounter.builder(PREFIX + name, server, value)
        .description(description)
        .tags(tags)
        .register(registry);
  }

  @Override
  public @Nullable Response filter(Exchange exchange, ExchangeHandler next) throws Exception {
    return ExchangeWatch.answer(exchange, next, end -> record(exchange, end));
  }

  private void record(Exchange exchange, ExchangeSummary end) {
    Request request = exchange.request();
    Status status = end.status();
    String method = request.method().name();
    Throwable failure = end.failure();
    Tags own = Tags.of(
        "method",
        HttpMethods.isStandard(method) ? method : "UNKNOWN",
        "uri",
        uri(exchange, status),
        "status",
        Integer.toString(status.code()),
        "exception",
        failure == null ? "none" : failure.getClass().getSimpleName());
    requests.withTags(own.and(Outcome.forStatus(status.code()).asTag())).record(end.elapsed());
  }

  private String uri(Exchange exchange, Status status) {
    String template = route == null ? null : exchange.get(route);
    if (template != null) {
      return template;
    }
    if (status.equals(Status.NOT_FOUND)) {
      return "NOT_FOUND";
    }
    return status.isRedirect() ? "REDIRECTION" : "UNKNOWN";
  }
}
