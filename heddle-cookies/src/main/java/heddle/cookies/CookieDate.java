package heddle.cookies;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Parses the date of a cookie's Expires leniently: the first tokens that look like a time, a day, a
 * month and a year are taken, in any order (draft-ietf-httpbis-rfc6265bis section 5.1.1). Not
 * thread-safe.
 */
final class CookieDate {
  private static final Pattern DELIMITERS =
      Pattern.compile("[\\x09\\x20-\\x2F\\x3B-\\x40\\x5B-\\x60\\x7B-\\x7E]+");
  private static final Pattern TIME =
      Pattern.compile("([0-9]{1,2}):([0-9]{1,2}):([0-9]{1,2})(?:[^0-9].*)?", Pattern.DOTALL);
  private static final Pattern DAY = Pattern.compile("([0-9]{1,2})(?:[^0-9].*)?", Pattern.DOTALL);
  private static final Pattern YEAR = Pattern.compile("([0-9]{2,4})(?:[^0-9].*)?", Pattern.DOTALL);
  private static final List<String> MONTHS =
      List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
  private static final int FIRST_YEAR = 1601;

  private @Nullable Matcher time;
  private int day = -1;
  private int month = -1;
  private int year = -1;

  private CookieDate() {}

  /** Returns null if the text contains no date. */
  static @Nullable Instant parse(String text) {
    CookieDate date = new CookieDate();
    for (String token : DELIMITERS.split(text, -1)) {
      date.take(token);
    }
    return date.instant();
  }

  /** Takes a token as the first part that it matches and that is still missing. */
  private void take(String token) {
    Matcher asTime = TIME.matcher(token);
    if (time == null && asTime.matches()) {
      time = asTime;
      return;
    }
    int asDay = day < 0 ? number(DAY, token) : -1;
    if (asDay >= 0) {
      day = asDay;
      return;
    }
    int asMonth = month < 0 ? monthOf(token) : -1;
    if (asMonth >= 0) {
      month = asMonth;
      return;
    }
    if (year < 0) {
      year = number(YEAR, token);
    }
  }

  private static int number(Pattern pattern, String token) {
    Matcher matcher = pattern.matcher(token);
    return matcher.matches() ? Integer.parseInt(matcher.group(1)) : -1;
  }

  private static int monthOf(String token) {
    return token.length() < 3 ? -1 : MONTHS.indexOf(token.substring(0, 3).toLowerCase(Locale.ROOT));
  }

  private @Nullable Instant instant() {
    Matcher found = time;
    if (found == null || day < 0 || month < 0 || year < 0) {
      return null;
    }
    int century = year > 99 ? 0 : year >= 70 ? 1900 : 2000;
    if (century + year < FIRST_YEAR) {
      return null;
    }
    try {
      return LocalDateTime.of(
              century + year,
              month + 1,
              day,
              Integer.parseInt(found.group(1)),
              Integer.parseInt(found.group(2)),
              Integer.parseInt(found.group(3)))
          .toInstant(ZoneOffset.UTC);
    } catch (DateTimeException noSuchDate) {
      return null;
    }
  }
}
