package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.micrometer.HeddleMetrics;
import heddle.opentelemetry.HeddleTelemetry;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.OpenTelemetry;

/** The code of docs/guide/metrics-and-tracing.md. */
final class Watching {
  private Watching() {}

  static HttpClient metricsAndTraces(MeterRegistry registry, OpenTelemetry telemetry) {
    // doc: both
    HeddleMetrics metrics = HeddleMetrics.builder(registry).build();
    HttpClient client =
        HeddleTelemetry.bind(HttpClient.builder().label("orders").listener(metrics), telemetry);
    metrics.bindPool(client);
    // doc: end
    return client;
  }

  static HttpClient listener() {
    // doc: listener
    HttpClient client = HttpClient.builder()
        .listener(new ExchangeListener() {
          @Override
          public void callEnded(CallSummary summary) {
            System.out.println(summary.call() + " took " + summary.elapsed());
          }
        })
        .build();
    // doc: end
    return client;
  }
}
