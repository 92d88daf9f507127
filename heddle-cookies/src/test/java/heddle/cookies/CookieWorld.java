package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.http.MalformedUrlException;
import heddle.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** A store, and a clock that a test moves. */
final class CookieWorld {
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final InstantSource clock = () -> now;
  final Rfc6265CookieStore store;

  CookieWorld() {
    this(CookieLimits.DEFAULTS);
  }

  CookieWorld(CookieLimits limits) {
    store = Rfc6265CookieStore.builder().limits(limits).wallClock(clock).build();
  }

  Instant now() {
    return now;
  }

  void pass(Duration time) {
    now = now.plus(time);
  }

  private static Request get(String url) {
    try {
      return Request.get(url);
    } catch (MalformedUrlException e) {
      throw new AssertionError(e);
    }
  }

  /** A response to this URL sets cookies. */
  void set(String url, String... lines) {
    store.save(get(url), List.of(lines));
  }

  String cookies(String url) {
    return store.load(get(url));
  }

  void assertCookies(String expected, String url) {
    assertEquals(expected, cookies(url), url);
  }

  /** A cookie that is refused where another one is not. */
  void assertRefused(String url, String line) {
    List<Cookie> before = store.snapshot();
    set(url, line);
    assertEquals(before, store.snapshot(), line);
  }
}
