package heddle.client.settings;

import heddle.http.HeaderName;
import heddle.http.HttpDate;
import heddle.http.Status;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;

/**
 * Repeats idempotent requests after certain statuses, and those that {@link
 * RetryPolicy#provablySafe} repeats, as {@link RetryPolicy#onStatus} says. Immutable.
 */
record StatusRetries(
    Set<Integer> statuses,
    int times,
    Backoff backoff,
    Duration maxDelay,
    boolean anyMethod,
    InstantSource wallClock)
    implements RetryPolicy {
  @Override
  public boolean isAskedAbout(Status status) {
    return statuses.contains(status.code());
  }

  @Override
  public Decision decide(Attempt attempt) {
    Status status = attempt.status();
    if (status == null) {
      return RetryPolicy.provablySafe().decide(attempt);
    }
    boolean mayRepeat = anyMethod || attempt.request().method().isIdempotent();
    if (!statuses.contains(status.code()) || !mayRepeat || attempt.responses() > times) {
      return Decision.stop();
    }
    String field = attempt.headers().first(HeaderName.RETRY_AFTER);
    Duration told = field == null ? null : HttpDate.retryAfter(field, wallClock.instant());
    Duration delay = backoff.delay(attempt.responses(), attempt.random());
    if (told != null && told.compareTo(delay) > 0) {
      delay = told;
    }
    return delay.compareTo(maxDelay) > 0 ? Decision.stop() : Decision.repeatAfter(delay);
  }
}
