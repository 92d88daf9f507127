package heddle.client.settings;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A date in HTTP: recipients accept all three formats (RFC 9110 section 5.6.7). */
final class HttpDate {
  /** RFC 9110 section 5.6.7: a two-digit year that seems further ahead means the past. */
  private static final int MOST_YEARS_AHEAD = 50;

  private static final DateTimeFormatter PREFERRED =
      DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss 'GMT'", Locale.US);

  /** The format of C's asctime; a day below 10 is padded with a space. */
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US);

  private HttpDate() {}

  /**
   * Reads a date.
   *
   * @param now decides the century of a two-digit year
   * @return null if the text is not a date
   */
  static @Nullable Instant parse(String text, Instant now) {
    int year = now.atOffset(ZoneOffset.UTC).getYear();
    DateTimeFormatter obsolete = new DateTimeFormatterBuilder()
        .appendPattern("EEEE, dd-MMM-")
        .appendValueReduced(ChronoField.YEAR, 2, 2, year + MOST_YEARS_AHEAD - 99)
        .appendPattern(" HH:mm:ss 'GMT'")
        .toFormatter(Locale.US);
    return Stream.of(PREFERRED, obsolete, ASCTIME)
        .map(form -> read(text, form))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  private static @Nullable Instant read(String text, DateTimeFormatter form) {
    try {
      return LocalDateTime.parse(text, form).toInstant(ZoneOffset.UTC);
    } catch (DateTimeParseException e) {
      return null;
    }
  }
}
