package heddle.connection;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.HttpDate;
import heddle.transport.time.Clock;
import java.time.Instant;

/**
 * The fields of a response with the Date that an origin server adds (RFC 9110 §6.6.1). Servers
 * often answer with the same fields, so the last result is cached for the rest of the second.
 */
public final class ResponseFields {
  /** For a response to which we add no Content-Length. */
  public static final long NO_LENGTH = -1;

  private static final long NO_SECOND = Long.MIN_VALUE;

  // One reference each: a race between threads costs at most one more computation.
  private static volatile Stamp stamp = new Stamp(NO_SECOND, "");
  private static volatile Merged merged =
      new Merged(NO_SECOND, Headers.empty(), NO_LENGTH, Headers.empty());

  private record Stamp(long second, String date) {}

  private record Merged(long second, Headers given, long length, Headers result) {}

  private ResponseFields() {}

  /**
   * These fields, and Date and Content-Length if they are missing.
   *
   * @param length of the content, or {@link #NO_LENGTH}
   * @throws IllegalArgumentException if they have a different Content-Length already
   */
  @SuppressWarnings("ReferenceEquality") // immutable: the same instance is the same fields
  public static Headers of(Headers given, long length, Clock clock) {
    long second = clock.epochMillis() / 1000;
    Merged last = merged;
    if (last.second() == second && last.length() == length && last.given() == given) {
      return last.result();
    }
    boolean lengthMissing = length >= 0 && !isLengthGiven(given, length);
    if (!lengthMissing && given.contains(HeaderName.DATE)) {
      return given;
    }
    Headers.Builder fields = given.toBuilder();
    if (lengthMissing) {
      fields.add(HeaderName.CONTENT_LENGTH, Long.toString(length));
    }
    if (!given.contains(HeaderName.DATE)) {
      fields.add(HeaderName.DATE, date(second));
    }
    Headers result = fields.build();
    merged = new Merged(second, given, length, result);
    return result;
  }

  private static boolean isLengthGiven(Headers given, long length) {
    String value = given.first(HeaderName.CONTENT_LENGTH);
    if (value == null) {
      return false;
    }
    if (!value.equals(Long.toString(length))) {
      throw new IllegalArgumentException("Content-Length is " + value + " but the body is " + length
          + " bytes: leave the field out");
    }
    return true;
  }

  /** Now, for a Date field. */
  public static String date(Clock clock) {
    return date(clock.epochMillis() / 1000);
  }

  private static String date(long second) {
    Stamp last = stamp;
    if (last.second() != second) {
      last = new Stamp(second, HttpDate.format(Instant.ofEpochSecond(second)));
      stamp = last;
    }
    return last.date();
  }
}
