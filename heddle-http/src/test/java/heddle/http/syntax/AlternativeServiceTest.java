package heddle.http.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Values of Alt-Svc, right and wrong (RFC 7838 section 3). */
final class AlternativeServiceTest {
  private static final int ROUNDS = Integer.getInteger("heddle.fuzz.rounds", 50_000);
  private static final long DAY = 86_400;

  private static AlternativeService one(String value) {
    List<AlternativeService> all = AlternativeService.parse(value);
    assertEquals(1, all.size(), all.toString());
    return all.getFirst();
  }

  /** The examples of section 3 and 3.1. */
  @Test
  void examplesOfTheRfcAreRead() {
    assertEquals(new AlternativeService("h2", "", 8000, DAY), one("h2=\":8000\""));
    assertEquals(
        new AlternativeService("h2", "new.example.org", 80, DAY), one("h2=\"new.example.org:80\""));
    assertEquals("w=x:y#z", one("w%3Dx%3Ay#z=\":443\"").protocol());
    assertEquals("x%y", one("x%25y=\":443\"").protocol());
    assertEquals(
        List.of(
            new AlternativeService("h2", "alt.example.com", 8000, DAY),
            new AlternativeService("h2", "", 443, DAY)),
        AlternativeService.parse("h2=\"alt.example.com:8000\", h2=\":443\""));
    assertEquals(3600, one("h2=\":443\"; ma=3600").maxAgeSeconds());
    assertEquals(2_592_000, one("h2=\":443\"; ma=2592000; persist=1").maxAgeSeconds());
  }

  @Test
  void clearNamesNoAlternative() {
    assertEquals(List.of(), AlternativeService.parse("clear"));
    assertThrows(IllegalArgumentException.class, () -> AlternativeService.parse("Clear"));
  }

  @Test
  void authorityIsAQuotedString() {
    assertEquals("a.test", one("h2=\"A.te\\st:443\"").host());
    assertEquals("2001:db8::1", one("h2=\"[2001:DB8::1]:443\"").host());
  }

  @Test
  void unknownParametersAndEmptyElementsAreSkipped() {
    assertEquals(7, one(", h3-29=\":443\" ;\tV=\"46,43\" ; MA=\"7\";x=y ,").maxAgeSeconds());
  }

  @ParameterizedTest
  @CsvSource({"2147483649, 2147483648", "99999999999999999999, 2147483648", "0, 0"})
  void timeIsBounded(String sent, long seconds) {
    assertEquals(seconds, one("h2=\":443\"; ma=" + sent).maxAgeSeconds());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ``                      | not a protocol at index 0
          ,                       | not a protocol at index 1
          clear, h2=":443"        | not '=' at index 5
          h2                      | not '=' at index 2
          h2=                     | not a quoted authority at index 3
          h2=:443                 | not a quoted authority at index 3
          h2=""                   | an authority without a port from 1 to 65535 at index 3
          h2="a.test"             | an authority without a port from 1 to 65535 at index 3
          h2="443"                | an authority without a port from 1 to 65535 at index 3
          h2=":0"                 | an authority without a port from 1 to 65535 at index 3
          h2=":65536"             | an authority without a port from 1 to 65535 at index 3
          h2=":+80"               | an authority without a port from 1 to 65535 at index 3
          h2="a b:80"             | in the host
          h2="::1:80"             | in the host
          h2=":443                | a quoted string without its end at index 3
          h2=":443" h3=":443"     | neither a comma nor the end at index 10
          h2=":443";              | not a parameter at index 10
          h2=":443"; ma           | not '=' at index 13
          h2=":443"; ma=          | not a parameter's value at index 14
          h2=":443"; ma=-1        | ma without a number of seconds at index 11
          h2=":443"; ma=1.5       | ma without a number of seconds at index 11
          h%2=":443"              | a percent sign without two hexadecimal digits at index 1
          h%zz=":443"             | a percent sign without two hexadecimal digits at index 1
          """)
  void otherValuesAreRefusedWithTheirPlace(String value, String problem) {
    String message = assertThrows(
            IllegalArgumentException.class, () -> AlternativeService.parse(value))
        .getMessage();
    assertTrue(message.contains(problem), message);
  }

  private static String list(int count) {
    return IntStream.range(0, count).mapToObj(i -> "h2=\":443\"").collect(Collectors.joining(","));
  }

  @Test
  void numbersOfAlternativesAndParametersAreBounded() {
    assertEquals(16, AlternativeService.parse(list(16)).size());
    assertThrows(IllegalArgumentException.class, () -> AlternativeService.parse(list(17)));
    assertEquals("h2", one("h2=\":443\"" + ";a=b".repeat(16)).protocol());
    assertThrows(
        IllegalArgumentException.class,
        () -> AlternativeService.parse("h2=\":443\"" + ";a=b".repeat(17)));
  }

  /** Random values are read or refused, and never fail otherwise. */
  @Test
  void randomValuesAreReadOrRefused() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    String letters = "h23=\":;,% \\\tma.test[]-clear04\u00e9";
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder value = new StringBuilder(random.nextBoolean() ? "h2=\":443\"; ma=60" : "");
      for (int i = random.nextInt(20); i > 0; i--) {
        char next = letters.charAt(random.nextInt(letters.length()));
        value.insert(random.nextInt(value.length() + 1), next);
      }
      try {
        for (AlternativeService each : AlternativeService.parse(value.toString())) {
          assertTrue(each.port() >= 1 && each.port() <= 65_535 && each.maxAgeSeconds() >= 0);
        }
      } catch (IllegalArgumentException e) {
        assertTrue(e.getMessage() != null, value::toString);
      } catch (RuntimeException e) {
        throw new AssertionError("seed %d, round %d: %s".formatted(seed, round, value), e);
      }
    }
  }
}
