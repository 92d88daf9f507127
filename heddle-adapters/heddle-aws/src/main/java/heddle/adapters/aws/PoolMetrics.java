package heddle.adapters.aws;

import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.http.Origin;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.HttpMetric;
import software.amazon.awssdk.metrics.MetricCollector;
import software.amazon.awssdk.metrics.NoOpMetricCollector;

/** Reports what the SDK's metrics say about an HTTP client. */
final class PoolMetrics {
  private PoolMetrics() {}

  /** Returns the collector of a call, which gets the name of the client; null for none. */
  static @Nullable MetricCollector of(Optional<MetricCollector> given, String clientName) {
    MetricCollector collector = given.orElse(null);
    if (collector == null || collector instanceof NoOpMetricCollector) {
      return null;
    }
    collector.reportMetric(HttpMetric.HTTP_CLIENT_NAME, clientName);
    return collector;
  }

  /**
   * Reports the state of a pool.
   *
   * @param origin whose connections are counted; null for all
   */
  static void report(MetricCollector to, PoolSnapshot pool, @Nullable Origin origin) {
    Predicate<RouteSnapshot> counts =
        route -> origin == null || route.route().origin().equals(origin);
    List<RouteSnapshot> routes = pool.routes().stream().filter(counts).toList();
    int most = pool.limits().maxInFlightPerRoute();
    int leased = routes.stream().mapToInt(RouteSnapshot::inFlight).sum();
    int available = routes.stream().mapToInt(route -> available(route, pool)).sum();
    to.reportMetric(HttpMetric.MAX_CONCURRENCY, most);
    to.reportMetric(HttpMetric.LEASED_CONCURRENCY, leased);
    to.reportMetric(HttpMetric.AVAILABLE_CONCURRENCY, available);
    to.reportMetric(
        HttpMetric.PENDING_CONCURRENCY_ACQUIRES,
        routes.stream().mapToInt(RouteSnapshot::pending).sum());
  }

  /** The number of further calls that fit on the open connections. */
  private static int available(RouteSnapshot route, PoolSnapshot pool) {
    if (!route.multiplexed()) {
      return route.idle();
    }
    long streams = (long) route.open() * pool.limits().maxStreamsPerConnection();
    long most = Math.min(streams, pool.limits().maxInFlightPerRoute());
    return (int) Math.max(0, most - route.inFlight());
  }
}
