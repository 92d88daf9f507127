package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.client.settings.RetryBudget;
import heddle.client.settings.RetryPolicy;
import java.time.Duration;

/** The code of docs/guide/retries.md. */
final class Retries {
  private Retries() {}

  static HttpClient onStatus() {
    // doc: status
    HttpClient client = HttpClient.builder()
        .retries(RetryPolicy.onStatus()
            .statuses(429, 502, 503)
            .times(2)
            .backoff(Duration.ofMillis(100), Duration.ofSeconds(2))
            .build())
        .retryBudget(new RetryBudget(0.05, 5)) // 5% of the requests, and 5 a second
        .build();
    // doc: end
    return client;
  }

  static HttpClient never() {
    // doc: never
    HttpClient client = HttpClient.builder().retries(RetryPolicy.never()).build();
    // doc: end
    return client;
  }
}
