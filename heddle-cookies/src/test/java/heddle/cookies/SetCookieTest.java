package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.cookies.Cookie.SameSite;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Section 5.6. */
class SetCookieTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static SetCookie parse(String line) {
    SetCookie set = SetCookie.parse(line, NOW);
    assertNotNull(set, line);
    return set;
  }

  private static void assertPair(String name, String value, String line) {
    SetCookie set = parse(line);
    assertEquals(name, set.name(), line);
    assertEquals(value, set.value(), line);
  }

  @Test
  void nameAndValueStandBeforeTheFirstSemicolon() {
    assertPair("a", "b", "a=b");
    assertPair("a", "b", " a\t=\t b ;x");
    assertPair("a", "b=c", "a=b=c; Path=/");
    assertPair("a", "", "a=");
    assertPair("a", "", "a=;");
    assertPair("", "b", "b");
    assertPair("", "b", "=b");
    assertPair("a", "\"b c\"", "a=\"b c\"");
    assertPair("a b", "c,d", "a b=c,d");
    assertPair("a", "\u00e9\u00ff", "a=\u00e9\u00ff");
    assertPair("a", "b\tc", "a=b\tc");
  }

  @Test
  void nothingIsNoCookie() {
    for (String line : new String[] {"", "=", " = ", ";", "; Path=/", "=;Secure"}) {
      assertNull(SetCookie.parse(line, NOW), line);
    }
  }

  @Test
  void controlCharactersAnywhereRefuseAll() {
    for (int c = 0; c <= 0x7F; c++) {
      boolean control = c < 0x20 && c != '\t' || c == 0x7F;
      for (String line :
          new String[] {"a" + (char) c + "=b", "a=b" + (char) c, "a=b; x" + (char) c}) {
        assertEquals(control, SetCookie.parse(line, NOW) == null, () -> "in " + line);
      }
    }
  }

  @Test
  void nameAndValueHaveFourKibibytesTogether() {
    assertNotNull(SetCookie.parse("n".repeat(96) + "=" + "v".repeat(4000), NOW));
    assertNull(SetCookie.parse("n".repeat(97) + "=" + "v".repeat(4000), NOW));
    assertNull(SetCookie.parse("v".repeat(4097), NOW));
    assertNotNull(SetCookie.parse("a=b; x=" + "y".repeat(9000), NOW), "attributes do not count");
  }

  @Test
  void longAttributesAreIgnoredAndTheOthersAreNot() {
    String longest = "/" + "p".repeat(1023);
    assertEquals(longest, parse("a=b; Path=" + longest).path());
    SetCookie set = parse("a=b; Path=/x; Path=" + longest + "p; Secure");
    assertEquals("/x", set.path());
    assertTrue(set.secure());
  }

  @Test
  void attributesIgnoreCaseAndBlanksAndUnknownOnes() {
    SetCookie set = parse("a=b ;\tsECURE=no; HTTPONLY ; foo=bar;; =; pAth\t=\t/p ;DOMAIN= .A.b ");
    assertTrue(set.secure());
    assertTrue(set.httpOnly());
    assertEquals("/p", set.path());
    assertEquals("a.b", set.domain());
    SetCookie none = parse("a=b");
    assertFalse(none.secure() || none.httpOnly() || none.pathGiven());
    assertEquals("", none.domain());
    assertNull(none.path());
    assertNull(none.expires());
    assertEquals(SameSite.DEFAULT, none.sameSite());
  }

  @Test
  void lastAttributeOfAKindCounts() {
    SetCookie set = parse("a=b; Path=/1; Path=/2; Domain=x; Domain=y; SameSite=Lax; SameSite=None;"
        + " Max-Age=1; Max-Age=2");
    assertEquals("/2", set.path());
    assertEquals("y", set.domain());
    assertEquals(SameSite.NONE, set.sameSite());
    assertEquals(NOW.plusSeconds(2), set.expires());
    assertNull(parse("a=b; Path=/1; Path=2").path(), "the default");
    assertEquals("", parse("a=b; Domain=x; Domain=").domain());
    assertEquals(NOW.plusSeconds(1), parse("a=b; Max-Age=1; Max-Age=x").expires());
  }

  @ParameterizedTest
  @CsvSource({"lax, LAX", "Strict, STRICT", "NONE, NONE", "other, DEFAULT", "'', DEFAULT"})
  void sameSiteIsKept(String value, SameSite expected) {
    assertEquals(expected, parse("a=b; SameSite=" + value).sameSite());
  }

  @Test
  void onlyOneLeadingDotOfADomainIsRemoved() {
    assertEquals("a", parse("a=b; Domain=.a").domain());
    assertEquals(".a", parse("a=b; Domain=..a").domain());
    assertEquals("", parse("a=b; Domain=.").domain());
  }

  @Test
  void pathThatDoesNotBeginWithASlashIsTheDefault() {
    for (String path : new String[] {"", "x", "x/", "\"/\""}) {
      SetCookie set = parse("a=b; Path=" + path);
      assertNull(set.path());
      assertTrue(set.pathGiven());
    }
  }

  @Test
  void maxAgeIsASpanOfSecondsAndCountsBeforeExpires() {
    assertEquals(NOW.plusSeconds(60), parse("a=b; Max-Age=60").expires());
    assertEquals(NOW.plusSeconds(60), parse("a=b; Max-Age=0060").expires());
    assertEquals(
        NOW.plusSeconds(60),
        parse("a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT").expires());
    for (String past : new String[] {"0", "-0", "-1", "-99999999999999999999", "000"}) {
      assertEquals(Instant.MIN, parse("a=b; Max-Age=" + past).expires(), past);
    }
    for (String ignored : new String[] {"", "-", "+1", "1.5", "1s", "x", "--1", "1 2"}) {
      assertNull(parse("a=b; Max-Age=" + ignored).expires(), ignored);
    }
  }

  @Test
  void noCookieLivesLongerThanFourHundredDays() {
    Instant latest = NOW.plus(Duration.ofDays(400));
    assertEquals(latest, parse("a=b; Max-Age=34560000").expires());
    assertEquals(latest, parse("a=b; Max-Age=34560001").expires());
    assertEquals(latest, parse("a=b; Max-Age=" + "9".repeat(1000)).expires());
    assertEquals(latest, parse("a=b; Expires=Fri, 31 Dec 9999 23:59:59 GMT").expires());
    assertEquals(
        Instant.parse("2026-06-01T00:00:00Z"),
        parse("a=b; Expires=1 Jun 2026 00:00:00").expires());
  }

  @Test
  void dateThatIsNoneIsIgnored() {
    assertNull(parse("a=b; Expires=soon").expires());
    assertEquals(
        Instant.parse("2026-06-01T00:00:00Z"),
        parse("a=b; Expires=1 Jun 2026 00:00:00; Expires=soon").expires());
  }
}
