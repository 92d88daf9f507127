package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayName("Promise 18: cookies follow RFC 6265bis with the public suffix list")
@Timeout(60)
class Rfc6265CookieStoreTest {
  private final CookieWorld world = new CookieWorld();

  @Test
  void cookieWithoutADomainIsForItsHostAlone() {
    world.set("http://example.com/", "a=1");
    world.assertCookies("a=1", "http://example.com/any/path?q");
    world.assertCookies("a=1", "http://EXAMPLE.com:8080/");
    world.assertCookies("", "http://www.example.com/");
    world.assertCookies("", "http://example.org/");
  }

  @Test
  void cookieOfADomainIsForAllHostsInIt() {
    world.set("http://www.example.com/", "a=1; Domain=example.com", "b=2; Domain=.Example.COM");
    world.assertCookies("a=1; b=2", "http://example.com/");
    world.assertCookies("a=1; b=2", "http://x.y.example.com/");
    world.assertCookies("", "http://badexample.com/");
  }

  @Test
  void nobodySetsCookiesForOthers() {
    world.assertRefused("http://www.example.com/", "a=1; Domain=mail.example.com");
    world.assertRefused("http://example.com/", "a=1; Domain=www.example.com");
    world.assertRefused("http://example.com/", "a=1; Domain=example.org");
    world.assertRefused("http://example.com/", "a=1; Domain=ample.com");
    world.assertRefused("http://example.com/", "a=1; Domain=\u00e9xample.com");
    world.assertRefused("http://example.com/", "a=1; Domain=example.com.");
    world.assertRefused("http://example.com/", "a=1; Domain=example.com/");
  }

  @Test
  void nobodySetsCookiesForAPublicSuffix() {
    world.assertRefused("http://example.com/", "a=1; Domain=com");
    world.assertRefused("http://example.com/", "a=1; Domain=.com");
    world.assertRefused("http://example.com./", "a=1; Domain=com.");
    world.assertRefused("http://a.example.co.uk/", "a=1; Domain=co.uk");
    world.assertRefused("http://ann.github.io/", "a=1; Domain=github.io");
    world.assertRefused("http://x.www.kobe.jp/", "a=1; Domain=www.kobe.jp");
    world.set("http://x.city.kobe.jp/", "a=1; Domain=city.kobe.jp");
    world.assertCookies("a=1", "http://city.kobe.jp/");
  }

  @Test
  void publicSuffixMayHaveItsOwnCookies() {
    world.set("http://github.io/", "a=1; Domain=github.io");
    world.assertCookies("a=1", "http://github.io/");
    world.assertCookies("", "http://ann.github.io/");
  }

  @Test
  void localhostAndAddressesHaveCookiesOfTheirOwn() {
    world.set("http://localhost:8080/", "a=1", "b=2; Domain=localhost");
    world.assertCookies("a=1; b=2", "http://localhost:9090/");
    world.set("http://127.0.0.1/", "c=3; Domain=127.0.0.1", "d=4");
    world.assertCookies("c=3; d=4", "http://127.0.0.1/");
    world.assertRefused("http://127.0.0.1/", "a=1; Domain=0.0.1");
    world.assertRefused("http://127.0.0.1/", "a=1; Domain=1");
    world.set("http://[::1]/", "e=5");
    world.assertCookies("e=5", "http://[::1]:81/");
    world.assertCookies("", "http://[::2]/");
  }

  @Test
  void internationalDomainsAreGivenInALabels() {
    world.set("http://www.xn--mnchen-3ya.de/", "a=1; Domain=xn--mnchen-3ya.de");
    world.assertCookies("a=1", "http://xn--mnchen-3ya.de/");
    world.assertRefused("http://www.xn--mnchen-3ya.de/", "b=1; Domain=m\u00fcnchen.de");
    world.assertRefused("http://a.xn--55qx5d.cn/", "a=1; Domain=xn--55qx5d.cn");
  }

  @Test
  void pathsRestrictTheRequestsOfACookie() {
    world.set("http://a.com/x/y", "a=1", "b=2; Path=/x/", "c=3; Path=/", "d=4; Path=bad");
    world.assertCookies("b=2; a=1; d=4; c=3", "http://a.com/x/z?/");
    world.assertCookies("a=1; d=4; c=3", "http://a.com/x");
    world.assertCookies("c=3", "http://a.com/xy");
    world.assertCookies("c=3", "http://a.com");
    world.set("http://a.com/x", "e=5; Path=/elsewhere");
    world.assertCookies("e=5; c=3", "http://a.com/elsewhere");
  }

  @Test
  void secureCookiesNeedHttpsBothWays() {
    world.assertRefused("http://a.com/", "a=1; Secure");
    world.set("https://a.com/", "a=1; Secure", "b=2");
    world.assertCookies("a=1; b=2", "https://a.com/");
    world.assertCookies("b=2", "http://a.com/");
  }

  @Test
  void cleartextCannotPutItselfBeforeASecureCookie() {
    world.set("https://www.a.com/login", "sid=1; Secure; Path=/login; Domain=a.com");
    world.assertRefused("http://www.a.com/login", "sid=evil; Path=/login; Domain=a.com");
    world.assertRefused("http://www.a.com/login", "sid=evil; Path=/login/en");
    world.assertRefused("http://a.com/login", "sid=evil; Path=/login");
    world.assertRefused("http://www.a.com/login", "sid=; Max-Age=0; Path=/login; Domain=a.com");
    world.set("http://www.a.com/", "sid=other; Path=/");
    world.assertCookies("sid=1; sid=other", "https://www.a.com/login");
    world.set("http://www.a.com/login", "name=other; Path=/login");
    world.set("https://www.a.com/login", "sid=2; Path=/login; Domain=a.com");
    world.assertCookies("sid=2", "http://x.a.com/login");
  }

  @Test
  void sameSiteNoneNeedsSecure() {
    world.assertRefused("https://a.com/", "a=1; SameSite=None");
    world.set("https://a.com/", "a=1; SameSite=None; Secure", "b=2; SameSite=Strict");
    world.assertCookies("a=1; b=2", "https://a.com/");
    assertEquals(Cookie.SameSite.NONE, world.store.snapshot().getFirst().sameSite());
    assertEquals(Cookie.SameSite.STRICT, world.store.snapshot().getLast().sameSite());
  }

  @Test
  void securePrefixPromisesSecure() {
    world.assertRefused("https://a.com/", "__Secure-a=1");
    world.assertRefused("https://a.com/", "__sEcUrE-a=1");
    world.assertRefused("https://a.com/", "__Secure-a");
    world.assertRefused("https://a.com/", "=__secure-a=1; Secure");
    world.set("https://a.com/", "__Secure-a=1; Secure; Domain=a.com; Path=/x");
    world.assertCookies("__Secure-a=1", "https://www.a.com/x");
  }

  @Test
  void hostPrefixPromisesOneHostAndAllPaths() {
    world.assertRefused("https://a.com/", "__Host-a=1; Path=/");
    world.assertRefused("https://a.com/", "__Host-a=1; Secure; Path=/; Domain=a.com");
    world.assertRefused("https://a.com/", "__Host-a=1; Secure");
    world.assertRefused("https://a.com/x", "__Host-a=1; Secure; Path=/x");
    world.assertRefused("https://a.com/", "__hOST-a=1; Secure");
    world.assertRefused("https://a.com/", "=__Host-a=1; Secure; Path=/");
    world.assertRefused("http://a.com/", "__Host-a=1; Secure; Path=/");
    world.set("https://a.com/x", "__Host-a=1; Secure; Path=/");
    world.assertCookies("__Host-a=1", "https://a.com/");
  }

  @Test
  void cookieOfTheSameNameDomainAndPathTakesThePlace() {
    world.set("http://a.com/", "a=1");
    world.pass(Duration.ofSeconds(1));
    world.set("http://a.com/", "b=2");
    world.pass(Duration.ofSeconds(1));
    world.set("http://a.com/", "a=3; Max-Age=60");
    world.assertCookies("a=3; b=2", "http://a.com/");
    assertEquals(
        world.now().minusSeconds(2), world.store.snapshot().getFirst().created(), "as before");
    world.set("http://a.com/", "a=host; Domain=a.com", "a=path; Path=/x", "A=name");
    world.assertCookies("a=path; a=3; b=2; a=host; A=name", "http://a.com/x");
  }

  @Test
  void cookiesExpire() {
    world.set("http://a.com/", "a=1; Max-Age=10", "b=2", "c=3; Expires=1 Jan 2026 00:00:20 GMT");
    world.pass(Duration.ofSeconds(9));
    world.assertCookies("a=1; b=2; c=3", "http://a.com/");
    world.pass(Duration.ofSeconds(1));
    world.assertCookies("b=2; c=3", "http://a.com/");
    assertEquals(2, world.store.snapshot().size());
    world.pass(Duration.ofDays(1000));
    world.assertCookies("b=2", "http://a.com/");
  }

  @Test
  void expiryInThePastTakesACookieAway() {
    for (String past : new String[] {"Max-Age=0", "Max-Age=-1", "Expires=1 Jan 1970 00:00:00"}) {
      world.set("http://a.com/", "a=1", "b=2", "a=; " + past);
      world.assertCookies("b=2", "http://a.com/");
    }
  }

  @Test
  void longerPathsComeFirstThenOlderCookies() {
    world.set("http://a.com/", "a=1; Path=/", "b=2; Path=/x", "c=3; Path=/x/y", "d=4; Path=/x");
    world.assertCookies("c=3; b=2; d=4; a=1", "http://a.com/x/y");
  }

  @Test
  void namelessCookiesAndOddValuesAreSentAsTheyCame() {
    world.set("http://a.com/", "plain", "a=\"q u\"; x", "b=\u00e9", "c=");
    world.assertCookies("plain; a=\"q u\"; b=\u00e9; c=", "http://a.com/");
  }

  @Test
  void hostsAndPathsWithOddMarksAreCookiesTo() {
    world.set("http://a;b.com/x;y=1/z", "a=1");
    world.assertCookies("a=1", "http://a;b.com/x;y=1/w");
  }

  @Test
  void manyThreadsShareAStore() throws Exception {
    Thread[] threads = IntStream.range(0, 8)
        .mapToObj(i -> Thread.ofVirtual().start(() -> IntStream.range(0, 500).forEach(n -> {
          world.set("http://a.com/", "t" + i + "=" + n, "x=" + n, "x=; Max-Age=0");
          String cookies = world.cookies("http://a.com/");
          assertTrue(cookies.contains("t" + i + "=" + n), cookies);
        })))
        .toArray(Thread[]::new);
    for (Thread thread : threads) {
      thread.join();
    }
    String cookies = world.cookies("http://a.com/");
    assertEquals(8, cookies.split("; ", -1).length, cookies);
    for (int i = 0; i < 8; i++) {
      assertTrue(cookies.contains("t" + i + "=499"), cookies);
    }
  }

  @Test
  void httpOnlyIsKept() {
    world.set("http://a.com/", "a=1; HttpOnly", "b=2");
    assertTrue(world.store.snapshot().getFirst().httpOnly());
    assertFalse(world.store.snapshot().getLast().httpOnly());
    assertNull(world.store.snapshot().getLast().expires());
  }

  @Test
  void clearForgetsAll() {
    world.set("http://a.com/", "a=1");
    world.store.clear();
    world.assertCookies("", "http://a.com/");
    world.set("http://a.com/", "b=2");
    world.assertCookies("b=2", "http://a.com/");
  }
}
