package heddle.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.http.Headers;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Cookies of requests, and those that are set. */
final class CookiesTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a=1 | {a=1}",
        "a=1; b=2 | {a=1, b=2}",
        "a=1;b=2;;c=3; | {a=1, b=2, c=3}",
        "a = 1 ;  b= | {a=1, b=}",
        "a=1; a=2 | {a=1}",
        "a=b=c | {a=b=c}",
        "a=\"1\" | {a=\"1\"}",
        "a; =b; c=3 | {c=3}",
        "; | {}"
      })
  void cookiesAreReadAsClientsWriteThem(String field, String expected) {
    assertEquals(expected, RequestCookies.all(Headers.of("Cookie", field)).toString());
  }

  @Test
  void theFirstCookieOfANameCounts() {
    Headers headers = Headers.of("Cookie", "a=1; b=2", "Cookie", "a=3; c=4");
    assertEquals("1", RequestCookies.first(headers, "a"));
    assertEquals("4", RequestCookies.first(headers, "c"));
    assertNull(RequestCookies.first(headers, "A"));
    assertNull(RequestCookies.first(Headers.empty(), "a"));
    assertEquals(Map.of("a", "1", "b", "2", "c", "4"), RequestCookies.all(headers));
  }

  @Test
  void noMoreCookiesThanTheLimitAreTaken() {
    StringBuilder many = new StringBuilder("n=v");
    for (int i = 0; i < 1000; i++) {
      many.append(";n").append(i).append('=');
    }
    Headers headers = Headers.of("Cookie", many.toString());
    assertEquals(RequestCookies.MOST, RequestCookies.all(headers).size());
    assertEquals("", RequestCookies.first(headers, "n999"));
  }

  @Test
  void aCookieIsWrittenWithItsAttributes() {
    assertEquals(
        "id=7; Path=/; HttpOnly; SameSite=Lax",
        SetCookie.builder("id", "7").build().toString());
    SetCookie all = SetCookie.builder("id", "7")
        .maxAge(Duration.ofMinutes(2))
        .expires(Instant.parse("2026-11-28T08:00:00.5Z"))
        .domain("Example.com")
        .path("/a")
        .secure(true)
        .httpOnly(false)
        .sameSite(SetCookie.SameSite.NONE)
        .partitioned(true)
        .build();
    assertEquals(
        "id=7; Max-Age=120; Expires=Sat, 28 Nov 2026 08:00:00 GMT; Domain=example.com; Path=/a;"
            + " Secure; SameSite=None; Partitioned",
        all.toString());
    assertEquals(
        "id=; Max-Age=0",
        SetCookie.builder("id", "")
            .maxAge(Duration.ofSeconds(-3))
            .path(null)
            .httpOnly(false)
            .sameSite(null)
            .build()
            .toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a;b", "a,b", "a\"b", "a\\b", "a\nb", "\u00e9"})
  void aValueThatWouldBeReadDifferentlyIsRefused(String value) {
    assertThrows(
        IllegalArgumentException.class, () -> SetCookie.builder("id", value).build());
  }

  @Test
  void whatClientsIgnoreIsRefused() {
    for (SetCookie.Builder each : new SetCookie.Builder[] {
      SetCookie.builder("", "1"),
      SetCookie.builder("a=b", "1"),
      SetCookie.builder("a", "x".repeat(4096)),
      SetCookie.builder("a", "1").sameSite(SetCookie.SameSite.NONE),
      SetCookie.builder("a", "1").partitioned(true),
      SetCookie.builder("__Secure-a", "1"),
      SetCookie.builder("__host-a", "1"),
      SetCookie.builder("__Host-a", "1").secure(true).domain("a.example"),
      SetCookie.builder("__Host-a", "1").secure(true).path("/a"),
      SetCookie.builder("a", "1").path("a"),
      SetCookie.builder("a", "1").path("/a;b"),
      SetCookie.builder("a", "1").path("/a\r\nb"),
      SetCookie.builder("a", "1").domain("a b")
    }) {
      assertThrows(IllegalArgumentException.class, each::build);
    }
    SetCookie.builder("__Host-a", "1").secure(true).build();
    SetCookie.builder("a", "x".repeat(4095)).build();
  }
}
