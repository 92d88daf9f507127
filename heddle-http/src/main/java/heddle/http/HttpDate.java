package heddle.http;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The dates of fields such as Last-Modified (RFC 9110 section 5.6.7), to the second.
 *
 * <pre>{@code
 * Instant modified = HttpDate.parse("Sun, 06 Nov 1994 08:49:37 GMT");
 * }</pre>
 */
public final class HttpDate {
  /** RFC 9110 section 5.6.7: a two-digit year that seems further ahead means the past. */
  private static final int MOST_YEARS_AHEAD = 50;

  /** A year has four digits. */
  private static final int MAX_YEAR = 9999;

  /** IMF-fixdate, the only format that is sent. */
  private static final DateTimeFormatter PREFERRED = DateTimeFormatter.ofPattern(
          "EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
      .withZone(ZoneOffset.UTC);

  /** Also with a day of one digit, which some servers send. */
  private static final DateTimeFormatter LENIENT =
      DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss 'GMT'", Locale.US);

  /** The format of C's asctime; a day below 10 is padded with a space. */
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US);

  private HttpDate() {}

  /** As {@link #parse(String, Instant)}, by the system's clock. */
  public static @Nullable Instant parse(String text) {
    return parse(text, Instant.now());
  }

  /**
   * Reads a date in any of the three formats.
   *
   * @param now decides the century of a two-digit year
   * @return null if the text is no such date
   */
  public static @Nullable Instant parse(String text, Instant now) {
    int comma = text.indexOf(',');
    DateTimeFormatter format = comma < 0 ? ASCTIME : comma == 3 ? LENIENT : obsolete(now);
    try {
      LocalDateTime date = LocalDateTime.parse(text, format);
      // The formats take a sign and more digits too, and so years whose milliseconds overflow.
      boolean hasFourDigits = date.getYear() >= 0 && date.getYear() <= MAX_YEAR;
      return hasFourDigits ? date.toInstant(ZoneOffset.UTC) : null;
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** The format of RFC 850. */
  private static DateTimeFormatter obsolete(Instant now) {
    int year = now.atOffset(ZoneOffset.UTC).getYear();
    return new DateTimeFormatterBuilder()
        .appendPattern("EEEE, dd-MMM-")
        .appendValueReduced(ChronoField.YEAR, 2, 2, year + MOST_YEARS_AHEAD - 99)
        .appendPattern(" HH:mm:ss 'GMT'")
        .toFormatter(Locale.US);
  }

  /**
   * The delay that a Retry-After field asks for (RFC 9110 section 10.2.3), in seconds or until a
   * date.
   *
   * @return zero if the date is past; null if the value is malformed
   */
  public static @Nullable Duration retryAfter(String value, Instant now) {
    String text = value.strip();
    if (text.matches("[0-9]+")) {
      // A number of more than 9 digits exceeds any useful delay.
      return Duration.ofSeconds(text.length() > 9 ? 999_999_999 : Long.parseLong(text));
    }
    Instant date = parse(text, now);
    if (date == null) {
      return null;
    }
    return date.isAfter(now) ? Duration.between(now, date) : Duration.ZERO;
  }

  /** The date in the preferred format, such as {@code Sun, 06 Nov 1994 08:49:37 GMT}. */
  public static String format(Instant time) {
    return PREFERRED.format(time);
  }
}
