package heddle.client.settings;

import heddle.http.HeaderName;
import heddle.http.Headers;
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
final class StatusRetries implements RetryPolicy {
  private final Set<Integer> statuses;
  private final int times;
  private final Backoff backoff;
  private final Duration maxDelay;
  private final boolean anyMethod;
  private final InstantSource wallClock;

  StatusRetries(Builder builder) {
    statuses = builder.statuses;
    times = builder.times;
    backoff = new Backoff(builder.base, builder.most);
    maxDelay = builder.maxDelay;
    anyMethod = builder.anyMethod;
    wallClock = builder.wallClock;
  }

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
    boolean seconds = !text.isEmpty() && text.chars().allMatch(c -> c >= '0' && c <= '9');
    if (seconds) {
      // A number of more than 9 digits exceeds any useful delay.
      return Duration.ofSeconds(text.length() > 9 ? 999_999_999 : Long.parseLong(text));
    }
    Instant now = wallClock.instant();
    Instant date = HttpDate.parse(text, now);
    if (date == null) {
      return null;
    }
    Duration left = Duration.between(now, date);
    return left.isNegative() ? Duration.ZERO : left;
  }
}
