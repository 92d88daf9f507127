package heddle.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Origin;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which origins the two notations of no-proxy rules mean. */
class NoProxyTest {
  private static Origin origin(String url) {
    return Origin.of(URI.create(url));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "* http://a.test/ true",
        "a.test http://a.test/ true",
        "A.Test http://a.test/ true",
        "a.test http://a.test./ true",
        "a.test. http://a.test/ true",
        "a.test https://a.test/ true",
        "a.test http://b.a.test/ true",
        ".a.test http://b.a.test/ true",
        ".a.test http://a.test/ true",
        "a.test http://ba.test/ false",
        "a.test http://a.test.example/ false",
        "test http://a.test/ true",
        "a.test:8080 http://a.test:8080/ true",
        "a.test:8080 http://b.a.test:8080/ true",
        "a.test:8080 http://a.test/ false",
        "a.test:443 https://a.test/ true",
        "10.0.0.1 http://10.0.0.1/ true",
        "10.0.0.1 http://10.0.0.2/ false",
        "*.a.test http://b.a.test/ true",
        "10.0.0.1:81 http://10.0.0.1:81/ true",
        "10.0.0.1:81 http://10.0.0.1/ false",
        "10.0.0.0/8 http://10.255.1.2/ true",
        "10.0.0.0/8 http://11.0.0.1/ false",
        "10.0.0.0/8 http://10.test/ false",
        "10.0.0.128/25 http://10.0.0.127/ false",
        "10.0.0.128/25 http://10.0.0.255/ true",
        "0.0.0.0/0 http://1.2.3.4/ true",
        "0.0.0.0/0 http://[::1]/ false",
        "::1 http://[::1]/ true",
        "[::1] http://[0:0:0:0:0:0:0:1]/ true",
        "[::1]:81 http://[::1]:81/ true",
        "[::1]:81 http://[::1]/ false",
        "fd00::/8 http://[fd12::1]/ true",
        "[fd00::]/8 http://[fd12::1]/ true",
        "fd00::/8 http://[fe80::1]/ false",
      })
  void rulesOfTheEnvironment(String rule, String url, boolean matches) {
    assertEquals(matches, NoProxy.parse(rule).matches(origin(url)));
    assertEquals(matches, NoProxy.parse("x.test, " + rule + "  y.test,,").matches(origin(url)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "localhost http://localhost/ true",
        "LocalHost http://localhost/ true",
        "localhost http://a.localhost/ false",
        "a.test http://b.a.test/ false",
        "*.a.test http://b.a.test/ true",
        "*.a.test http://a.test/ false",
        "*a.test http://a.test/ true",
        "127.* http://127.0.0.1/ true",
        "127.* http://128.0.0.1/ false",
        "[::1] http://[::1]/ true",
        "*mid* http://amidst.test/ true",
        "* http://a.test/ true",
      })
  void patternsOfTheProperty(String pattern, String url, boolean matches) {
    assertEquals(matches, NoProxy.patterns(pattern).matches(origin(url)));
    assertEquals(matches, NoProxy.patterns("x.test|" + pattern + "|").matches(origin(url)));
  }

  @Test
  void noRulesMatchNothing() {
    assertFalse(NoProxy.none().matches(origin("http://a.test/")));
    assertFalse(NoProxy.parse("").matches(origin("http://a.test/")));
    assertFalse(NoProxy.patterns("").matches(origin("http://a.test/")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "10.0.0.0/33",
        "::1/129",
        "a.test/8",
        "10.0.0.0/x",
        "10.0.0.0/",
        "a.test:0",
        "a.test:x",
        "a.test:99999",
        "a*b",
        "0.1",
        "10.0.0.256",
        "a.test:",
        "[::1"
      })
  void malformedRuleIsNamed(String rule) {
    IllegalArgumentException failure =
        assertThrows(IllegalArgumentException.class, () -> NoProxy.parse("ok.test," + rule));
    assertTrue(failure.getMessage().contains("rule " + rule + " "), failure.getMessage());
  }

  @Test
  void starInTheMiddleOfAPatternIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> NoProxy.patterns("a.*.test"));
  }
}
