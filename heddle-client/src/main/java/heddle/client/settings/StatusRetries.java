package heddle.client.settings;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Status;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
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
  /** RFC 9110 section 5.6.7: a two-digit year that seems further ahead means the past. */
  private static final int MOST_YEARS_AHEAD = 50;

  private static final DateTimeFormatter PREFERRED =
      DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss 'GMT'", Locale.US);

  /** The format of C's asctime; a day below 10 is padded with a space. */
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US);

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
    Instant date = date(text, now);
    if (date == null) {
      return null;
    }
    return date.isAfter(now) ? Duration.between(now, date) : Duration.ZERO;
  }

  /**
   * Reads a date in any of the three formats of RFC 9110 section 5.6.7.
   *
   * @param now decides the century of a two-digit year
   * @return null if the text is not a date
   */
  private static @Nullable Instant date(String text, Instant now) {
    int year = now.atOffset(ZoneOffset.UTC).getYear();
    DateTimeFormatter obsolete = new DateTimeFormatterBuilder()
        .appendPattern("EEEE, dd-MMM-")
        .appendValueReduced(ChronoField.YEAR, 2, 2, year + MOST_YEARS_AHEAD - 99)
        .appendPattern(" HH:mm:ss 'GMT'")
        .toFormatter(Locale.US);
    for (DateTimeFormatter form : List.of(PREFERRED, obsolete, ASCTIME)) {
      try {
        return LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC);
      } catch (DateTimeParseException e) {
        // Perhaps it has the next format.
      }
    }
    return null;
  }
}
