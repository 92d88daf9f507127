package heddle.http.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PercentDecoderTest {
  private static String decode(String text) {
    return String.valueOf(PercentDecoder.decode(text, 0, text.length(), false));
  }

  @ParameterizedTest
  @CsvSource({
    "plain, plain",
    "a%20b, a b",
    "a+b, a+b",
    "%2f%2F, //",
    "%25%32%35, %25",
    "caf%C3%A9, caf\u00e9",
    "%F0%9F%98%80, \uD83D\uDE00",
    "%41, A"
  })
  void escapesAreOctetsOfUtf8(String text, String decoded) {
    assertEquals(decoded, decode(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"%", "%4", "%4g", "%g4", "a%", "%-1", "%C3", "%C3%28", "%FF", "%C0%AF", "\u00e9"})
  void malformedTextIsRefused(String text) {
    assertNull(PercentDecoder.decode(text, 0, text.length(), false));
  }

  @Test
  void surrogatesAreNotUtf8() {
    assertNull(PercentDecoder.decode("%ED%A0%80", 0, 9, false));
  }

  @Test
  void aPlusIsASpaceInForms() {
    assertEquals("a b+", PercentDecoder.decode("a+b%2B", 0, 6, true));
  }

  @Test
  void anEscapeDoesNotReachBeyondTheRange() {
    assertNull(PercentDecoder.decode("a%41", 0, 3, false));
    assertEquals("A", PercentDecoder.decode("a%41b", 1, 4, false));
  }
}
