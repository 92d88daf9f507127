package heddle.connection;

import heddle.http.HeaderName;
import heddle.http.Headers;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The fields of a response with the Date that an origin server adds (RFC 9110 §6.6.1). Servers
 * answer many times a second with the same fields, so the last result is kept and given again
 * while the second lasts.
 */
public final class ResponseFields {
  // IMF-fixdate, RFC 9110 §5.6.7.
  private static final DateTimeFormatter IMF_FIXDATE = DateTimeFormatter.ofPattern(
          "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
      .withZone(ZoneOffset.UTC);

  // Each is one reference, so that a race between answering threads costs a remake at most.
  private static volatile Stamp stamp = new Stamp(0, "");
  private static volatile Merged merged = new Merged(-1, Headers.empty(), Headers.empty());

  private record Stamp(long second, String date) {}

  private record Merged(long second, Headers given, Headers result) {}

  private ResponseFields() {}

  public static Headers of(Headers given) {
    long second = System.currentTimeMillis() / 1000;
    Merged last = merged;
    if (last.second() == second && isSame(last.given(), given)) {
      return last.result();
    }
    if (given.contains(HeaderName.DATE)) {
      return given;
    }
    Headers result = given.toBuilder().add(HeaderName.DATE, date(second)).build();
    merged = new Merged(second, given, result);
    return result;
  }

  @SuppressWarnings("ReferenceEquality") // immutable: the same instance is the same fields
  private static boolean isSame(Headers last, Headers given) {
    return last == given;
  }

  /** Now, for a Date field. */
  public static String date() {
    return date(System.currentTimeMillis() / 1000);
  }

  private static String date(long second) {
    Stamp last = stamp;
    if (last.second() != second) {
      last = new Stamp(second, IMF_FIXDATE.format(Instant.ofEpochSecond(second)));
      stamp = last;
    }
    return last.date();
  }
}
