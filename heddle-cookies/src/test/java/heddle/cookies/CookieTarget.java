package heddle.cookies;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Request;
import heddle.testwatch.FuzzTarget;
import heddle.testwatch.InputFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/** What a server sets, and what a file of cookies holds. */
enum CookieTarget implements FuzzTarget {
  SET_COOKIE,
  DATE,
  FILE;

  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Override
  public void run(byte[] input) throws IOException {
    switch (this) {
      case SET_COOKIE -> setCookie(input);
      case DATE -> CookieDate.parse(new String(input, ISO_8859_1));
      case FILE -> file(input);
    }
  }

  /** A value is stored as it can be sent and written, or ignored. */
  private static void setCookie(byte[] input) throws IOException {
    String line = new String(input, ISO_8859_1);
    SetCookie parsed = SetCookie.parse(line, NOW);
    if (parsed != null) {
      Instant expires = parsed.expires();
      assertTrue(expires == null || !expires.isAfter(NOW.plus(SetCookie.MAX_AGE)));
    }
    Rfc6265CookieStore store =
        Rfc6265CookieStore.builder().wallClock(InstantSource.fixed(NOW)).build();
    Request request = Request.get("https://a.example.com/b/c");
    store.save(request, List.of(line));
    List<Cookie> stored = store.snapshot();
    assertTrue(parsed != null || stored.isEmpty());
    store.load(request).chars().forEach(c -> assertTrue(c >= ' ' && c != 0x7F || c == '\t'));
    assertReadAgain(stored);
  }

  /** What is written can be read, but for the attribute and the times that the format lacks. */
  private static void assertReadAgain(List<Cookie> cookies) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    CookieFile.write(out, cookies);
    assertEquals(
        cookies.stream()
            .filter(CookieFile::isExpressible)
            .map(CookieTarget::written)
            .toList(),
        read(out.toByteArray()).stream().map(CookieTarget::written).toList());
  }

  private static Cookie written(Cookie cookie) {
    Instant expires = cookie.expires();
    return new Cookie(
        cookie.name(),
        cookie.value(),
        cookie.domain(),
        cookie.hostOnly(),
        cookie.path(),
        cookie.secure(),
        cookie.httpOnly(),
        Cookie.SameSite.DEFAULT,
        expires == null ? null : Instant.ofEpochSecond(Math.max(1, expires.getEpochSecond())),
        NOW,
        NOW);
  }

  private static void file(byte[] input) throws IOException {
    try {
      List<Cookie> cookies = read(input);
      assertReadAgain(cookies);
      Rfc6265CookieStore.create().restore(cookies);
    } catch (IOException e) {
      assertTrue(e.getMessage().contains("is no file of cookies"), e::toString);
    }
  }

  private static List<Cookie> read(byte[] content) throws IOException {
    return CookieFile.read(InputFile.of(content));
  }

  private static List<byte[]> octets(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(ISO_8859_1)).toList();
  }

  @Override
  public List<byte[]> seeds() {
    return switch (this) {
      case SET_COOKIE ->
        octets(
            "a=b",
            "a=\"b c\"; Path=/b; Domain=.example.com; Secure; HttpOnly; SameSite=Lax",
            "__Host-a=b; Path=/; Secure; Max-Age=99999999999999999999",
            "a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Path=x; Domain=com",
            "a=\tb; Path=/b\tc",
            "=; ;=;max-age=-1");
      case DATE ->
        octets(
            "Wed, 21 Oct 2026 07:28:00 GMT",
            "07:28:00 21 oct 69x",
            "1:2:3 31 feb 1601",
            "24:60:60 32 jan 1600");
      case FILE ->
        octets(
            "# Netscape HTTP Cookie File\n\n.example.com\tTRUE\t/\tFALSE\t0\ta\tb\n",
            "#HttpOnly_example.com\tFALSE\t/b\tTRUE\t1800000000\ta\tb\tc\r\n",
            "example.com\tFALSE\t/b\tTRUE\t-1\t\tb\n",
            "example.com\tFALSE\tb\tTRUE\t99999999999999999999\ta\tb\n",
            "a\tb");
    };
  }
}
