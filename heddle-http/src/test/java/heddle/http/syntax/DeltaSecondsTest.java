package heddle.http.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times in seconds (RFC 9111 section 1.2.2). */
class DeltaSecondsTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "007, 7",
    "86400, 86400",
    "2147483647, 2147483647",
    "2147483648, 2147483648",
    "2147483649, 2147483648",
    "99999999999999999999999999, 2147483648"
  })
  void numbersAreReadUpToTheGreatest(String text, long seconds) {
    assertEquals(seconds, DeltaSeconds.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-1", "+1", "1.5", "1 ", "0x1", "\u0661", "\"1\""})
  void othersAreMalformed(String text) {
    assertEquals(DeltaSeconds.MALFORMED, DeltaSeconds.parse(text));
  }
}
