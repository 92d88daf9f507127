package heddle.cache;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.http.syntax.DeltaSeconds;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * How old a stored response is, and how old it may become (RFC 9111 section 4.2); in seconds.
 *
 * @param lifetime not negative
 * @param age not negative
 */
record Freshness(long lifetime, long age) {
  /** The part of the time since the last change that section 4.2.2 suggests. */
  private static final int HEURISTIC_DIVISOR = 10;

  /** How far the clock may go back before the age counts as unknown. */
  private static final long TOLERANCE_MILLIS = 1000;

  boolean isFresh() {
    return lifetime > age;
  }

  /** Seconds until the response is stale; negative once it is. */
  long remaining() {
    return lifetime - age;
  }

  /** With a lifetime that is at most this. */
  Freshness within(long most) {
    return new Freshness(Math.min(lifetime, most), age);
  }

  /** What the response says (section 4.2.1); {@link CacheControl#NONE} if it says nothing. */
  static long explicitLifetime(Headers headers, CacheControl control) {
    if (control.maxAge() != CacheControl.NONE) {
      return control.maxAge();
    }
    if (!headers.contains(HeaderName.EXPIRES)) {
      return CacheControl.NONE;
    }
    Instant date = date(headers, HeaderName.DATE);
    Instant expires = date(headers, HeaderName.EXPIRES);
    // Section 5.3: an invalid date, 0 above all, is one that has passed.
    return date == null || expires == null ? 0 : Math.max(0, seconds(date, expires));
  }

  /** A guess by the last change (section 4.2.2); 0 if that is not known. */
  static long heuristicLifetime(Headers headers) {
    Instant date = date(headers, HeaderName.DATE);
    Instant modified = date(headers, HeaderName.LAST_MODIFIED);
    return date == null || modified == null
        ? 0
        : Math.max(0, seconds(modified, date) / HEURISTIC_DIVISOR);
  }

  /** The age in milliseconds at the moment of arrival: corrected_initial_age of section 4.2.3. */
  static long initialAgeMillis(Headers headers, long requestedAt, long receivedAt) {
    Instant date = date(headers, HeaderName.DATE);
    long apparent = date == null ? 0 : Math.max(0, receivedAt - date.toEpochMilli());
    long delay = Math.max(0, receivedAt - requestedAt);
    long told = CacheControl.seconds(headers.first(HeaderName.AGE), 0);
    return Math.max(apparent, TimeUnit.SECONDS.toMillis(told) + delay);
  }

  /** The current age: section 4.2.3. */
  static long age(long initialAgeMillis, long receivedAt, long now) {
    if (now < receivedAt - TOLERANCE_MILLIS) {
      return DeltaSeconds.MAX; // The clock was set back: any age is possible.
    }
    return TimeUnit.MILLISECONDS.toSeconds(initialAgeMillis + Math.max(0, now - receivedAt));
  }

  static @Nullable Instant date(Headers headers, HeaderName name) {
    String value = headers.first(name);
    return value == null ? null : HttpDate.parse(value);
  }

  private static long seconds(Instant from, Instant to) {
    return to.getEpochSecond() - from.getEpochSecond();
  }
}
