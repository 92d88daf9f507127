package heddle.codec.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Challenge;
import heddle.http.HttpDate;
import heddle.http.MediaType;
import heddle.http.syntax.Authority;
import heddle.http.syntax.Reference;
import heddle.http.syntax.Url;
import heddle.http.syntax.UrlTemplate;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Any text through the parsers of what stands in fields and targets: accepted or refused with an
 * IllegalArgumentException, and what was accepted is accepted again as it is written.
 */
final class SyntaxFuzz {
  /** More than the milliseconds between 1970 and the years 0 and 9999. */
  private static final long MOST_MILLIS = 300_000_000_000_000L;

  private SyntaxFuzz() {}

  private static void parse(byte[] input, Consumer<String> parser) {
    for (String text : new String[] {
      new String(input, StandardCharsets.ISO_8859_1), new String(input, StandardCharsets.UTF_8)
    }) {
      try {
        parser.accept(text);
      } catch (IllegalArgumentException e) {
        assertFalse(e.getMessage().isBlank());
      }
    }
  }

  static void url(byte[] input) {
    parse(input, text -> {
      Url url = Url.parse(text);
      assertTrue(url.port() >= 0 && url.port() <= 65_535, url::toString);
      assertFalse(url.host().isEmpty(), url::toString);
      assertTrue(url.target().chars().allMatch(c -> c > ' ' && c < 0x7F), url::toString);
      String host = url.host().contains(":") && !url.host().startsWith("[")
          ? "[" + url.host() + "]"
          : url.host();
      String again = (url.secure() ? "https://" : "http://") + host + ":" + url.port();
      assertEquals(url, Url.parse(again + url.target()));
    });
    parse(input, text -> Reference.resolve("http", "a", "/b/c?d", text));
  }

  static void authority(byte[] input) {
    boolean withPort = Authority.isAuthority(input, 0, input.length, true);
    boolean any = Authority.isAuthority(input, 0, input.length, false);
    assertTrue(any || !withPort, "valid only where a port is asked for");
    byte[] shifted = new byte[input.length + 2];
    System.arraycopy(input, 0, shifted, 1, input.length);
    assertEquals(any, Authority.isAuthority(shifted, 1, input.length, false));
  }

  static void mediaType(byte[] input) {
    parse(input, text -> {
      MediaType type = MediaType.parse(text);
      assertEquals(type, MediaType.parse(type.toString()));
      type.charset();
    });
  }

  static void challenges(byte[] input) {
    parse(input, text -> {
      for (Challenge challenge : Challenge.parse(text)) {
        assertFalse(challenge.scheme().isEmpty());
        assertTrue(challenge.token68() == null || challenge.parameters().isEmpty());
      }
    });
  }

  /** A date is one of four digits for the year, so that any arithmetic with it is exact. */
  static void date(byte[] input) {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    parse(input, text -> {
      Instant date = HttpDate.parse(text, now);
      if (date != null) {
        assertTrue(Math.abs(date.toEpochMilli()) < MOST_MILLIS, text);
        assertEquals(date, HttpDate.parse(HttpDate.format(date), now));
      }
      Duration delay = HttpDate.retryAfter(text, now);
      assertTrue(delay == null || !delay.isNegative(), text);
    });
  }

  /** A template and its values, between line feeds: no value changes what it stands in. */
  static void template(byte[] input) {
    parse(input, text -> {
      String[] lines = text.split("\n", -1);
      Object[] values = Arrays.copyOfRange(lines, 1, lines.length, Object[].class);
      String expanded = UrlTemplate.expand(lines[0], values);
      Object[] plain = Arrays.stream(values).map(each -> "x").toArray();
      Url url = Url.parse(expanded);
      Url expected = Url.parse(UrlTemplate.expand(lines[0], plain));
      assertEquals(structure(expected.target()), structure(url.target()), expanded);
      assertFalse(UrlTemplate.path(lines[0]).isEmpty());
    });
  }

  /** The characters that separate the parts of a target. */
  private static String structure(String target) {
    return target.replaceAll("[^/?&=#]", "");
  }

  static List<byte[]> seeds(String... texts) {
    return Arrays.stream(texts)
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }
}
