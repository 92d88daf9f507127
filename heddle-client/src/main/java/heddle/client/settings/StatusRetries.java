package heddle.client.settings;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
    Duration told = retryAfter(attempt.headers());
    Duration delay = backoff.delay(attempt.responses(), attempt.random());
    if (told != null && told.compareTo(delay) > 0) {
      delay = told;
    }
    return delay.compareTo(maxDelay) > 0 ? Decision.stop() : Decision.repeatAfter(delay);
  }

  /** The delay of Retry-After; null if the field is missing or malformed. */
  private @Nullable Duration retryAfter(Headers headers) {
    String value = headers.first(HeaderName.RETRY_AFTER);
    if (value == null) {
      return null;
    }
    String text = value.strip();
    if (text.matches("[0-9]+")) {
      // A number of more than 9 digits exceeds any useful delay.
      return Duration.ofSeconds(text.length() > 9 ? 999_999_999 : Long.parseLong(text));
    }
    Instant now = wallClock.instant();
    Instant date = HttpDate.parse(text, now);
    if (date == null) {
      return null;
    }
    return date.isAfter(now) ? Duration.between(now, date) : Duration.ZERO;
  }
}
