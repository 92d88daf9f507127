package heddle.client.dial;

import heddle.client.spi.Proxy;
import heddle.transport.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The proxies that failed recently: they are tried after the others of their list, so that new
 * connections do not wait for a dead proxy each time. Safe for use by many threads.
 */
final class FailedProxies {
  /** For how long a proxy that failed is tried last. */
  static final Duration MEMORY = Duration.ofSeconds(30);

  /** Above this number all are forgotten: a selector may return ever new proxies. */
  private static final int MAX_KNOWN = 1000;

  private final Clock clock;
  private final Map<Proxy, Long> failedAt = new ConcurrentHashMap<>();

  FailedProxies(Clock clock) {
    this.clock = clock;
  }

  void failed(RouteStep step) {
    if (!step.isDirect()) {
      if (failedAt.size() >= MAX_KNOWN) {
        failedAt.clear();
      }
      failedAt.put(step.proxy(), clock.nanoTime());
    }
  }

  void succeeded(RouteStep step) {
    failedAt.remove(step.proxy());
  }

  /** The same steps, with those that failed recently at the end. */
  List<RouteStep> order(List<RouteStep> steps) {
    if (failedAt.isEmpty()) {
      return steps;
    }
    long now = clock.nanoTime();
    List<RouteStep> first = new ArrayList<>();
    List<RouteStep> last = new ArrayList<>();
    for (RouteStep step : steps) {
      Long at = failedAt.get(step.proxy());
      boolean failed = at != null && now - at < MEMORY.toNanos();
      (failed ? last : first).add(step);
    }
    first.addAll(last);
    return first;
  }
}
