package heddle.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lists of challenges, right and wrong (RFC 9110 section 11.6.1). */
class ChallengeTest {
  private static Challenge one(String value) {
    List<Challenge> all = Challenge.parse(value);
    assertEquals(1, all.size(), all.toString());
    return all.getFirst();
  }

  private static String schemes(List<Challenge> challenges) {
    return challenges.stream().map(Challenge::scheme).collect(Collectors.joining(" "));
  }

  @Test
  void schemeAloneIsAChallenge() {
    assertEquals(new Challenge("Negotiate", null, Map.of()), one("Negotiate"));
    assertEquals(one("Negotiate"), one(" , Negotiate ,, "));
  }

  @Test
  void parametersAreTokensOrQuotedStringsWithBlanksAroundTheEqualsSign() {
    Challenge digest =
        one("Digest realm=\"a, \\\"b\\\" = c\\\\\", qop = auth ,STALE\t=\ttrue, opaque=\"\"");
    assertEquals(
        Map.of("realm", "a, \"b\" = c\\", "qop", "auth", "stale", "true", "opaque", ""),
        digest.parameters());
    assertTrue(digest.is("dIGEST"));
    assertEquals("true", digest.parameter("Stale"));
    assertEquals("a, \"b\" = c\\", digest.realm());
    assertNull(digest.token68());
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "abc=", "a+b/c-d.e_f~==", "a=="})
  void tokenIsWhatIsNoParameter(String token) {
    Challenge challenge = one("Negotiate " + token);
    assertEquals(token, challenge.token68());
    assertTrue(challenge.parameters().isEmpty());
  }

  @Test
  void severalStandInOneFieldWhereverTheCommasAre() {
    List<Challenge> all = Challenge.parse(
        "Newauth realm=\"apps\", type=1, title=\"Login, to \\\"apps\\\"\", Basic realm=\"simple\","
            + " Negotiate, NTLM TlRMTVNT=, , Bearer");
    assertEquals("Newauth Basic Negotiate NTLM Bearer", schemes(all));
    assertEquals(Map.of("realm", "simple"), all.get(1).parameters());
    assertEquals("1", all.getFirst().parameter("type"));
    assertEquals("TlRMTVNT=", all.get(3).token68());
    assertNull(all.get(4).realm());
  }

  @Test
  void severalFieldsAreReadInTheirOrderAndABrokenOneCountsAsNone() {
    Headers headers = Headers.of(
        "WWW-Authenticate", "Basic realm=\"a\"",
        "Proxy-Authenticate", "Basic realm=\"p\"",
        "WWW-Authenticate", "Digest realm=\"never ends",
        "www-authenticate", "Bearer, Negotiate");
    assertEquals(
        "Basic Bearer Negotiate", schemes(Challenge.in(headers, HeaderName.WWW_AUTHENTICATE)));
    assertEquals(
        "p", Challenge.in(headers, HeaderName.PROXY_AUTHENTICATE).getFirst().realm());
    assertEquals(List.of(), Challenge.in(Headers.empty(), HeaderName.WWW_AUTHENTICATE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``                                 | not a scheme at index 0",
        "`,`                                | not a scheme at index 1",
        "`\"Basic\"`                        | not a scheme at index 0",
        "`Basic realm=\"a`                  | a quoted string without its end at index 12",
        "`Basic realm=\"a\\\"`              | a quoted string without its end at index 12",
        "`Basic realm=\"a\" x`              | neither a comma nor the end at index 16",
        "`Basic realm=a b`                  | neither a comma nor the end at index 14",
        "`Basic realm=, x=\"y\"`            | at index",
        "`Basic realm=a, realm=b`           | the parameter realm a second time at index 15",
        "`Basic realm=a, REALM=a`           | a second time",
        "`Basic =a`                         | at index 6",
        "`Basic\trealm=a`                   | neither a comma nor the end",
        "`Basic realm==a`                   | at index",
        "`Basic/1 realm=a`                  | neither a comma nor the end at index 5",
        "`Basic abc= realm=a`               | at index",
        "`Basic r\u00e9alm=a`               | at index",
      })
  void whatBreaksTheGrammarIsRefusedWithItsPlace(String value, String message) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Challenge.parse(value));
    assertTrue(refused.getMessage().contains(message), refused.getMessage());
  }

  @Test
  void listsAreBounded() {
    String challenges =
        IntStream.range(0, 16).mapToObj(i -> "S" + i).collect(Collectors.joining(","));
    assertEquals(16, Challenge.parse(challenges).size());
    assertThrows(IllegalArgumentException.class, () -> Challenge.parse(challenges + ",S16"));
    String parameters =
        IntStream.range(0, 32).mapToObj(i -> "p" + i + "=v").collect(Collectors.joining(","));
    assertEquals(32, one("Big " + parameters).parameters().size());
    assertThrows(
        IllegalArgumentException.class, () -> Challenge.parse("Big " + parameters + ",p=v"));
  }

  @Test
  void tokenIsNotInTheText() {
    assertFalse(one("Negotiate c2VjcmV0").toString().contains("c2VjcmV0"));
    assertEquals("Basic {realm=a}", one("Basic realm=a").toString());
  }

  @Test
  void tokenAndParametersExcludeEachOther() {
    assertThrows(
        IllegalArgumentException.class, () -> new Challenge("X", "abc", Map.of("realm", "a")));
  }
}
