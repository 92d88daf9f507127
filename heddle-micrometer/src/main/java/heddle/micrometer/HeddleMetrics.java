package heddle.micrometer;

import heddle.client.HttpClient;
import heddle.client.spi.AttemptInfo;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.http.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of a client. Thread-safe.
 *
 * <table>
 *   <caption>Meters</caption>
 *   <tr><th>name</th><th>kind</th><th>what</th></tr>
 *   <tr><td>{@code http.client.requests}</td><td>timer</td><td>calls, from their start to the last
 *       byte of the body or the failure; tags {@code method}, {@code uri}, {@code status}, {@code
 *       outcome}, {@code exception}, {@code target.scheme}, {@code target.host}, {@code
 *       target.port}, {@code client.name}</td></tr>
 *   <tr><td>{@code http.client.retries}</td><td>counter</td><td>requests that were sent again;
 *       tags {@code target.*}</td></tr>
 *   <tr><td>{@code http.client.pool.refusals}</td><td>counter</td><td>attempts that got no
 *       connection because the queue was full or the wait too long; tags {@code target.*}</td></tr>
 *   <tr><td>{@code http.client.pool.open}, {@code .idle}, {@code .in.use}</td><td>gauges</td>
 *       <td>connections open or being opened; of those, the idle ones and the others</td></tr>
 *   <tr><td>{@code http.client.pool.pending}, {@code .in.flight}, {@code .needed}</td>
 *       <td>gauges</td><td>calls that wait for a connection; calls that have one; how many must be
 *       in flight at once for the current load, by Little's law</td></tr>
 * </table>
 *
 * <p>All have the tag {@code client.name}: the client's {@linkplain HttpClient.Builder#label
 * label}, or {@code none}.
 *
 * <p>The gauges are sums over the routes of a client. They do not prevent the client from being
 * garbage-collected. If calls go to an unbounded number of hosts, limit the tags by {@code
 * MeterFilter.maximumAllowableTags}.
 */
public final class HeddleMetrics implements ExchangeListener {
  private static final String PREFIX = "http.client.";
  private static final String CLIENT_NAME = "client.name";

  private final MeterRegistry registry;
  private final Tags tags;
  private final boolean named;
  private final Function<Request, String> uri;
  private final Meter.MeterProvider<Timer> requests;
  private final Meter.MeterProvider<Counter> retries;
  private final Meter.MeterProvider<Counter> refusals;

  private HeddleMetrics(Builder builder) {
    registry = builder.registry;
    tags = builder.tags;
    named = tags.stream().anyMatch(each -> each.getKey().equals(CLIENT_NAME));
    uri = builder.uri;
    requests = Timer.builder(PREFIX + "requests")
        .description("Calls, from their start to the last byte of the response's body")
        .tags(tags)
        .withRegistry(registry);
    retries = Counter.builder(PREFIX + "retries")
        .description("Requests that were sent again")
        .tags(tags)
        .withRegistry(registry);
    refusals = Counter.builder(PREFIX + "pool.refusals")
        .description("Attempts that the pool refused a connection")
        .tags(tags)
        .withRegistry(registry);
  }

  /** Builds a client with all its meters, without further tags. */
  public static HttpClient bind(HttpClient.Builder client, MeterRegistry registry) {
    return builder(registry).build().client(client);
  }

  /** A builder of meters in this registry. */
  public static Builder builder(MeterRegistry registry) {
    return new Builder(registry);
  }

  /** Builds the meters. Not thread-safe. */
  public static final class Builder {
    private final MeterRegistry registry;
    private Tags tags = Tags.empty();
    private Function<Request, String> uri = request -> {
      String template = request.template();
      return template == null ? "UNKNOWN" : template;
    };

    private Builder(MeterRegistry registry) {
      this.registry = registry;
    }

    /**
     * Sets tags for all meters. Clients of one registry need a label or a tag that distinguishes
     * them; otherwise the gauges of the second client are not registered.
     */
    public Builder tags(Iterable<Tag> common) {
      tags = Tags.of(common);
      return this;
    }

    /**
     * Sets the value of the tag {@code uri} per request: a template such as {@code /orders/{id}},
     * never the path itself, because each value is a separate time series. The default is the
     * {@linkplain Request#template() template} that the request was made from, or {@code UNKNOWN}.
     */
    public Builder uri(Function<Request, String> template) {
      uri = template;
      return this;
    }

    /** Builds the metrics. */
    public HeddleMetrics build() {
      return new HeddleMetrics(this);
    }
  }

  /** Builds a client whose calls and pool these meters measure. */
  public HttpClient client(HttpClient.Builder builder) {
    HttpClient client = builder.listener(this).build();
    bindPool(client);
    return client;
  }

  /**
   * Registers the gauges of a client's pool. Its calls are measured only if this is its listener.
   */
  public void bindPool(HttpClient client) {
    bindPool(client, client.label(), HttpClient::pool);
  }

  /**
   * Registers the gauges of a pool, or of several that are measured together.
   *
   * @param owner does not stay reachable for the gauges; they have no value when it is not
   * @param pool returns the present state
   */
  public <T> void bindPool(T owner, Function<T, PoolSnapshot> pool) {
    bindPool(owner, null, pool);
  }

  private <T> void bindPool(T owner, @Nullable String label, Function<T, PoolSnapshot> pool) {
    new Gauges<>(owner, label, pool).register();
  }

  /** The gauges of one pool. */
  private final class Gauges<T> {
    private final T owner;
    private final Tags own;
    private final Function<T, PoolSnapshot> pool;

    Gauges(T owner, @Nullable String label, Function<T, PoolSnapshot> pool) {
      this.owner = owner;
      this.own = tags.and(name(label));
      this.pool = pool;
    }

    void register() {
      gauge("open", "Connections open or being opened", PoolSnapshot::open);
      sum("idle", "Idle connections", RouteSnapshot::idle);
      sum("in.use", "Connections that a call uses or opens", RouteSnapshot::inUse);
      sum("pending", "Calls that wait for a connection", RouteSnapshot::pending);
      sum("in.flight", "Calls that have a connection or open one", RouteSnapshot::inFlight);
      sum(
          "needed",
          "Calls that must be in flight at once for the current load, by Little's law",
          RouteSnapshot::neededInFlight);
    }

    private void sum(String name, String description, ToIntFunction<RouteSnapshot> part) {
      gauge(name, description, all -> all.routes().stream().mapToInt(part).sum());
    }

    private void gauge(String name, String description, ToDoubleFunction<PoolSnapshot> value) {
      // Without this object, which keeps the owner reachable.
      Function<T, PoolSnapshot> state = pool;
      Gauge.builder(PREFIX + "pool." + name, owner, each -> value.applyAsDouble(state.apply(each)))
          .description(description)
          .tags(own)
          .register(registry);
    }
  }

  /** The client's name as a tag, unless the user's tags have one. */
  private Tags name(@Nullable String label) {
    return named ? Tags.empty() : Tags.of(CLIENT_NAME, label == null ? "none" : label);
  }

  @Override
  public void callEnded(CallSummary summary) {
    Request request = summary.call().request();
    Status status = summary.status();
    Throwable failure = summary.failure();
    Tags told = Tags.of(
        "method",
        request.method().name(),
        "uri",
        uri.apply(request),
        "status",
        status == null ? "IO_ERROR" : Integer.toString(status.code()),
        "exception",
        failure == null ? "none" : failure.getClass().getSimpleName());
    requests
        .withTags(told.and(outcome(status))
            .and(target(request.origin()))
            .and(name(summary.call().client())))
        .record(summary.elapsed());
  }

  private static Tag outcome(@Nullable Status status) {
    return status == null
        ? Outcome.UNKNOWN.asTag()
        : Outcome.forStatus(status.code()).asTag();
  }

  private static Tags target(Origin origin) {
    return Tags.of(
        "target.scheme",
        origin.scheme(),
        "target.host",
        origin.host(),
        "target.port",
        Integer.toString(origin.port()));
  }

  private Tags target(AttemptInfo attempt) {
    return target(attempt.request().origin()).and(name(attempt.call().client()));
  }

  @Override
  public void retried(AttemptInfo ended, Duration delay) {
    retries.withTags(target(ended)).increment();
  }

  @Override
  public void poolRefused(AttemptInfo attempt, IOException failure) {
    refusals.withTags(target(attempt)).increment();
  }
}
