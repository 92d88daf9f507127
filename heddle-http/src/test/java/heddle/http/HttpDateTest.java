package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RFC 9110 section 5.6.7. */
final class HttpDateTest {
  private static final Instant EXAMPLE = Instant.parse("1994-11-06T08:49:37Z");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sun, 6 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994"
      })
  void eachFormatIsRead(String text) {
    assertEquals(EXAMPLE, HttpDate.parse(text));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Wednesday, 01-Jan-76 00:00:00 GMT | 2076-01-01T00:00:00Z | 2026-12-31T00:00:00Z
          Saturday, 01-Jan-77 00:00:00 GMT  | 1977-01-01T00:00:00Z | 2026-12-31T00:00:00Z
          Friday, 01-Jan-77 00:00:00 GMT    | 2077-01-01T00:00:00Z | 2027-01-01T00:00:00Z
          """)
  void twoDigitYearIsAtMostFiftyYearsAhead(String text, Instant date, Instant now) {
    assertEquals(date, HttpDate.parse(text, now));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "now",
        "Sun, 06 Nov 1994 08:49:37",
        "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 25:49:37 GMT",
        "Mon, 06 Nov 1994 08:49:37 GMT",
        "Sun, 31 Nov 1994 08:49:37 GMT",
        " Sun, 06 Nov 1994 08:49:37 GMT",
        "1994-11-06T08:49:37Z",
        ",",
        "Sun,",
        "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sat, 01 Jan +10000 00:00:00 GMT",
        "Fri, 01 Jan +999999999 00:00:00 GMT",
        "Mon, 06 Nov -1994 08:49:37 GMT",
        "Mon Nov  6 08:49:37 -1994"
      })
  void otherTextIsNoDate(String text) {
    assertNull(HttpDate.parse(text));
  }

  @Test
  void datesAreWrittenInThePreferredFormat() {
    assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(EXAMPLE));
    assertEquals(EXAMPLE, HttpDate.parse(HttpDate.format(EXAMPLE.plusMillis(999))));
  }
}
