package heddle.examples.guide;

import heddle.client.HttpClient;
import heddle.resilience.Hedging;
import heddle.resilience.RateLimit;
import java.time.Duration;

/** The code of docs/guide/rate-limits-and-hedging.md. */
final class RateLimitsAndHedging {
  private RateLimitsAndHedging() {}

  static HttpClient limited() {
    // doc: limit
    HttpClient client = HttpClient.builder()
        .interceptor(RateLimit.builder(100, Duration.ofSeconds(1)) // for each origin
            .burst(10)
            .pauseOnRetryAfter(Duration.ofMinutes(1))
            .build())
        .build();
    // doc: end
    return client;
  }

  static HttpClient hedged() {
    // doc: hedge
    HttpClient client =
        HttpClient.builder().interceptor(Hedging.afterPercentile(95)).build();
    // doc: end
    return client;
  }

  static HttpClient marked() {
    // doc: marked
    HttpClient client = HttpClient.builder()
        .interceptor(Hedging.builder()
            .after(Duration.ofMillis(50))
            .most(2)
            .requests(request ->
                request.method().isSafe() || request.headers().contains("Idempotency-Key"))
            .build())
        .build();
    // doc: end
    return client;
  }
}
