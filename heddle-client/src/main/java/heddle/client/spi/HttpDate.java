package heddle.client.spi;

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

/** A date as HTTP writes it: whoever reads one takes all three forms (RFC 9110 section 5.6.7). */
final class HttpDate {
  /** RFC 9110 section 5.6.7: two digits that seem further ahead mean the past. */
  private static final int MOST_YEARS_AHEAD = 50;

  private static final DateTimeFormatter PREFERRED =
      DateTimeFormatter.ofPattern("EEE, d MMM uuuu HH:mm:ss 'GMT'", Locale.US);

  /** As C's function of that name writes it; a day below 10 has a space before it. */
  private static final DateTimeFormatter ASCTIME =
      DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US);

  private HttpDate() {}

  /**
   * Reads a date.
   *
   * @param now decides which century two digits of a year belong to
   * @return null where it is none
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
