package heddle.adapters.otlp;

import heddle.adapters.support.SocketFailures;
import heddle.client.settings.RetryPolicy;
import heddle.http.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Converts OpenTelemetry's retry policy. Requests that provably were not processed are also sent
 * again, as by any Heddle client.
 */
final class GivenRetries implements RetryPolicy {
  /** The retryable statuses of the protocol (OTLP 1, section on failures over HTTP). */
  private static final Set<Integer> RETRYABLE = Set.of(429, 502, 503, 504);

  /** Delays are up to a fifth shorter or longer, so that senders do not retry in step. */
  private static final double JITTER = 0.2;

  private final int maxAttempts;
  private final Duration initialBackoff;
  private final Duration maxBackoff;
  private final double multiplier;
  private final Predicate<IOException> isRetryable;

  GivenRetries(io.opentelemetry.sdk.common.export.RetryPolicy policy) {
    maxAttempts = policy.getMaxAttempts();
    initialBackoff = policy.getInitialBackoff();
    maxBackoff = policy.getMaxBackoff();
    multiplier = policy.getBackoffMultiplier();
    @Nullable Predicate<IOException> given = policy.getRetryExceptionPredicate();
    isRetryable = given == null ? failure -> !(failure instanceof SSLException) : given;
  }

  @Override
  public Decision decide(Attempt attempt) {
    Decision safe = RetryPolicy.provablySafe().decide(attempt);
    if (safe instanceof Repeat) {
      return safe;
    }
    if (attempt.number() >= maxAttempts || !mayBeRepeated(attempt)) {
      return Decision.stop();
    }
    double jitter = attempt.random().nextDouble(1 - JITTER, 1 + JITTER);
    return Decision.repeatAfter(Duration.ofNanos((long) (backoffNanos(attempt.number()) * jitter)));
  }

  private boolean mayBeRepeated(Attempt attempt) {
    IOException failure = attempt.failure();
    if (failure != null) {
      return isRetryable.test(SocketFailures.translate(failure));
    }
    Status status = attempt.status();
    return status != null && RETRYABLE.contains(status.code());
  }

  /** The delay after this attempt. */
  private double backoffNanos(int attempt) {
    double grown = (double) initialBackoff.toNanos() * Math.pow(multiplier, attempt - 1.0);
    return Math.min(grown, (double) maxBackoff.toNanos());
  }
}
