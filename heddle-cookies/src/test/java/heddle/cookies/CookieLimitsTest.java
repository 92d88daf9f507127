package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class CookieLimitsTest {
  @Test
  void siteKeepsTheCookiesThatWereUsedLast() {
    CookieWorld world = new CookieWorld(new CookieLimits(3, 10));
    world.set("http://a.com/", "a=1; Path=/a", "b=2; Path=/b", "c=3; Path=/c");
    world.assertCookies("a=1", "http://a.com/a");
    world.set("http://a.com/", "d=4; Path=/d");
    world.assertCookies("", "http://a.com/b");
    world.assertCookies("a=1", "http://a.com/a");
    assertEquals(3, world.store.snapshot().size());
  }

  @Test
  void subdomainsDoNotMakeRoom() {
    CookieWorld world = new CookieWorld(new CookieLimits(3, 10));
    world.set("http://victim.com/", "v=1");
    for (int i = 0; i < 100; i++) {
      world.set("http://h" + i + ".evil.com/", "a=1", "b=2; Domain=evil.com");
    }
    world.assertCookies("v=1", "http://victim.com/");
    assertEquals(4, world.store.snapshot().size());
  }

  @Test
  void insecureCookiesAreEvictedFirst() {
    CookieWorld world = new CookieWorld(new CookieLimits(2, 10));
    world.set("https://a.com/", "old=1; Secure", "plain=1");
    world.cookies("https://a.com/");
    world.set("https://a.com/", "new=1; Secure");
    world.assertCookies("old=1; new=1", "https://a.com/");
    world.set("https://a.com/", "more=1; Secure");
    world.assertCookies("new=1; more=1", "https://a.com/");
  }

  @Test
  void expiredCookiesGoBeforeOthers() {
    CookieWorld world = new CookieWorld(new CookieLimits(2, 3));
    world.set("http://a.com/", "a=1", "short=1; Max-Age=5");
    world.set("http://b.com/", "short=1; Max-Age=5");
    world.pass(Duration.ofSeconds(5));
    world.set("http://a.com/", "b=2");
    world.set("http://c.com/", "c=3");
    world.assertCookies("a=1; b=2", "http://a.com/");
    world.assertCookies("c=3", "http://c.com/");
  }

  @Test
  void storeKeepsTheCookiesThatWereUsedLast() {
    CookieWorld world = new CookieWorld(new CookieLimits(2, 3));
    world.set("http://a.com/", "a=1");
    world.set("http://b.com/", "b=1; Path=/", "b=2; Path=/x");
    world.cookies("http://a.com/");
    world.set("http://c.com/", "c=1");
    world.assertCookies("a=1", "http://a.com/");
    world.assertCookies("b=2", "http://b.com/x");
    world.assertCookies("c=1", "http://c.com/");
    assertEquals(3, world.store.snapshot().size());
  }

  @Test
  void defaultsHoldUnderAFlood() {
    CookieWorld world = new CookieWorld();
    for (int site = 0; site < 40; site++) {
      for (int i = 0; i < 200; i++) {
        world.set("http://s" + site + ".com/", "c" + i + "=1");
      }
    }
    assertEquals(3000, world.store.snapshot().size());
    assertEquals(180, world.cookies("http://s39.com/").split("; ", -1).length);
    world.assertCookies("", "http://s0.com/");
  }

  @Test
  void replacedCookiesTakeNoRoom() {
    CookieWorld world = new CookieWorld(new CookieLimits(2, 2));
    for (int i = 0; i < 10; i++) {
      world.set("http://a.com/", "a=" + i, "b=" + i);
    }
    world.assertCookies("a=9; b=9", "http://a.com/");
  }

  @Test
  void limitsThatContradictThemselvesAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new CookieLimits(0, 10));
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> new CookieLimits(5, 4));
    assertTrue(refused.getMessage().contains("5 and 4"), refused.getMessage());
  }
}
