package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Section 5.1.1. */
class CookieDateTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sun, 06 Nov 1994 08:49:37 GMT",
        "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
        "08:49:37 6 November 1994",
        "1994 novEMBER 6th 8:49:37x",
        "6 nov 94 08:49:37",
        ",,06;Nov\t94 08:49:37.5",
        "Sun, 06 Nov 1994 08:49:37 GMT 2001 12:00:00 Dec 31",
        "Sun, 06 Nov 1994 08:49:37 +0500"
      })
  void oneMomentIsWrittenInManyWays(String text) {
    assertEquals(Instant.parse("1994-11-06T08:49:37Z"), CookieDate.parse(text));
  }

  @ParameterizedTest
  @CsvSource({
    "1 Jan 70 0:0:0, 1970-01-01T00:00:00Z",
    "1 Jan 69 0:0:0, 2069-01-01T00:00:00Z",
    "1 Jan 99 0:0:0, 1999-01-01T00:00:00Z",
    "1 Jan 00 0:0:0, 2000-01-01T00:00:00Z",
    "1 Jan 1601 0:0:0, 1601-01-01T00:00:00Z",
    "31 Dec 9999 23:59:59, 9999-12-31T23:59:59Z",
    "29 Feb 2024 00:00:00, 2024-02-29T00:00:00Z",
    "12 10 Jan 2024 00:00:00, 2010-01-12T00:00:00Z",
    "1 2024 Jan 00:00:00, 2024-01-01T00:00:00Z"
  })
  void yearsHaveTwoDigitsOrFour(String text, Instant expected) {
    assertEquals(expected, CookieDate.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tomorrow",
        "6 Nov 1994",
        "Nov 1994 08:49:37",
        "6 1994 08:49:37",
        "6 Nov 08:49:37",
        "0 Nov 1994 08:49:37",
        "32 Nov 1994 08:49:37",
        "31 Nov 1994 08:49:37",
        "29 Feb 2023 08:49:37",
        "6 Nov 1600 08:49:37",
        "6 Nov 123 08:49:37",
        "6 Nov 19940 08:49:37",
        "6 Nov 1994 24:00:00",
        "6 Nov 1994 08:60:00",
        "6 Nov 1994 08:49:60",
        "6 Nov 1994 08:49",
        "6 Nov 1994 008:49:37",
        "6 No 1994 08:49:37",
        "006 Nov 1994x 08:49:37"
      })
  void textWithoutADateIsNone(String text) {
    assertNull(CookieDate.parse(text));
  }
}
