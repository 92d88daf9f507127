package heddle.adapters.spring.boot;

import heddle.client.spi.AttemptInfo;
import heddle.micrometer.HeddleMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * The meters of {@link HeddleMetrics} for pools and retries. Its timer of calls is omitted, as the
 * observation of Spring has the same name, {@code http.client.requests}, with other tags.
 */
final class MicrometerMeters implements ClientMeters, SmartInitializingSingleton {
  private final ObjectProvider<MeterRegistry> registries;
  private final ObjectProvider<SharedClients> clients;

  /** Null until all singletons are there, and if there is no registry. */
  private volatile @Nullable HeddleMetrics metrics;

  MicrometerMeters(
      ObjectProvider<MeterRegistry> registries, ObjectProvider<SharedClients> clients) {
    this.registries = registries;
    this.clients = clients;
  }

  @Override
  public void afterSingletonsInstantiated() {
    MeterRegistry registry = registries.getIfUnique();
    if (registry != null) {
      HeddleMetrics bound = HeddleMetrics.builder(registry).build();
      bound.bindPool(clients.getObject(), SharedClients::pool);
      metrics = bound;
    }
  }

  @Override
  public void retried(AttemptInfo ended, Duration delay) {
    HeddleMetrics bound = metrics;
    if (bound != null) {
      bound.retried(ended, delay);
    }
  }

  @Override
  public void poolRefused(AttemptInfo attempt, IOException failure) {
    HeddleMetrics bound = metrics;
    if (bound != null) {
      bound.poolRefused(attempt, failure);
    }
  }
}
