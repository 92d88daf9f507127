package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CookieTest {
  private final CookieWorld world = new CookieWorld();

  private static Cookie cookie(String name, String value, String domain, String path) {
    Instant now = Instant.EPOCH;
    return new Cookie(
        name, value, domain, true, path, false, false, Cookie.SameSite.DEFAULT, null, now, now);
  }

  @Test
  void snapshotContainsAllThatIsNeededToContinue() {
    world.set("https://a.com/x/y", "a=1; Secure; HttpOnly; SameSite=Lax; Max-Age=100", "b=2");
    world.set("https://www.b.com/", "c=3; Domain=b.com");
    List<Cookie> snapshot = world.store.snapshot();
    CookieWorld other = new CookieWorld();
    other.store.restore(snapshot);
    assertEquals(snapshot, other.store.snapshot());
    other.assertCookies("a=1; b=2", "https://a.com/x/");
    other.assertCookies("b=2", "http://a.com/x/");
    other.assertCookies("c=3", "http://x.b.com/");
    other.pass(Duration.ofSeconds(100));
    other.assertCookies("b=2", "https://a.com/x/");
  }

  @Test
  void restoredCookiesReplaceOthersAndExpiredOnesAreIgnored() {
    world.set("http://a.com/", "a=1; Max-Age=5", "b=2");
    List<Cookie> snapshot = world.store.snapshot();
    world.set("http://a.com/", "b=3", "c=4");
    world.pass(Duration.ofSeconds(5));
    world.store.restore(snapshot);
    world.assertCookies("b=2; c=4", "http://a.com/");
  }

  @Test
  void cookiesForAPublicSuffixAreNotRestored() {
    Cookie forAll = new Cookie(
        "a",
        "1",
        "co.uk",
        false,
        "/",
        false,
        false,
        Cookie.SameSite.DEFAULT,
        null,
        Instant.EPOCH,
        Instant.EPOCH);
    world.store.restore(List.of(forAll));
    world.assertCookies("", "http://example.co.uk/");
    assertEquals(List.of(), world.store.snapshot());
  }

  @Test
  void restoredCookiesLiveNoLongerThanOthers() {
    Cookie eternal = cookie("a", "1", "a.com", "/").at(Instant.MAX, Instant.EPOCH, Instant.EPOCH);
    world.store.restore(List.of(eternal));
    assertEquals(
        world.now().plus(Duration.ofDays(400)),
        world.store.snapshot().getFirst().expires());
  }

  @Test
  void cookiesThatNoServerCouldSetAreRefused() {
    cookie("a", "b=c", "a.com", "/;x");
    for (String bad : new String[] {"a;b", "a\r\nb", "a\0", " a", "a\t", "\u0100"}) {
      assertThrows(IllegalArgumentException.class, () -> cookie(bad, "b", "a.com", "/"));
      assertThrows(IllegalArgumentException.class, () -> cookie("a", bad, "a.com", "/"));
    }
    assertThrows(IllegalArgumentException.class, () -> cookie("a=b", "c", "a.com", "/"));
    assertThrows(IllegalArgumentException.class, () -> cookie("", "", "a.com", "/"));
    assertThrows(IllegalArgumentException.class, () -> cookie("a", "b", "", "/"));
    assertThrows(IllegalArgumentException.class, () -> cookie("a", "b", "a.com", "x"));
  }

  @Test
  void valuesStayOutOfLogsAndErrors() {
    String text = cookie("sid", "hush", "a.com", "/").toString();
    assertEquals("Cookie(sid=***, a.com/)", text);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> cookie("sid", "hush;", "a.com", "/"));
    assertFalse(refused.getMessage().contains("hush"), refused.getMessage());
  }
}
