package heddle.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.syntax.DeltaSeconds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 9111 section 5.2: the grammar of Cache-Control, and what breaks it. */
final class CacheControlTest {
  private static final int ROUNDS = Integer.getInteger("heddle.fuzz.rounds", 20_000);

  private static CacheControl parse(String... values) {
    Headers.Builder headers = Headers.builder();
    for (String each : values) {
      headers.add(HeaderName.CACHE_CONTROL, each);
    }
    return CacheControl.ofResponse(headers.build());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          max-age=5                          | 5
          Max-Age=5                          | 5
          max-age="5"                        | 5
          max-age = 5                        | 5
          ,, max-age=5 ,                     | 5
          x, max-age=5, y="a, max-age=7"     | 5
          x="a, max-age=7", max-age=5        | 5
          x="a\\", max-age=7", max-age=5     | 5
          x="a, max-age=5                    | 5
          x-max-age=7, max-age=5             | 5
          max-age=5, max-age=7               | 5
          max-age=005                        | 5
          max-age=2147483647                 | 2147483647
          max-age=2147483649                 | 2147483648
          max-age=99999999999999999999999999 | 2147483648
          max-age                            | 0
          max-age=                           | 0
          max-age=""                         | 0
          max-age=5s                         | 0
          max-age=-5                         | 0
          max-age=5.5                        | 0
          max-age=5 6                        | 0
          x                                  | -1
          "max-age=5"                        | -1
          =5                                 | -1
          """)
  void maxAge(String value, long expected) {
    assertEquals(expected, parse(value).maxAge());
  }

  @Test
  void directivesAreCollectedFromAllFields() {
    CacheControl control = parse(
        "no-cache, no-store, must-revalidate, must-understand, public, private",
        "immutable, only-if-cached, max-age=1, max-stale=2, min-fresh=3",
        "stale-while-revalidate=4, stale-if-error=5");
    assertEquals(
        new CacheControl(true, true, true, true, true, true, true, true, 1, 2, 3, 4, 5), control);
    assertEquals(Long.MAX_VALUE, parse("max-stale").maxStale());
    assertEquals(
        new CacheControl(
            false, false, false, false, false, false, false, false, -1, -1, -1, -1, -1),
        parse());
  }

  @Test
  void randomTextIsNeverRefused() {
    Random random = new Random(3);
    String alphabet = "abmaxge-=\",\\ \t0123456789;\u00e9";
    for (int round = 0; round < ROUNDS; round++) {
      StringBuilder text = new StringBuilder();
      for (int i = random.nextInt(40); i > 0; i--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      CacheControl control = parse(text.toString().strip());
      assertTrue(control.maxAge() >= -1 && control.maxAge() <= DeltaSeconds.MAX, text::toString);
    }
  }

  /** However directives are ordered, spaced and quoted, they mean the same. */
  @Test
  void randomListsMeanTheSameHoweverTheyAreWritten() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS / 10; round++) {
      int age = random.nextInt();
      long seconds = Math.max(0, age);
      List<String> directives = new ArrayList<>(List.of(
          "no-cache",
          "immutable",
          "x=\"1, no-store, \\\" public\"",
          "y",
          random.nextBoolean() ? "max-age=" + seconds : "max-age=\"" + seconds + "\"",
          "stale-if-error=" + seconds));
      Collections.shuffle(directives, random);
      StringBuilder text = new StringBuilder();
      for (String each : directives) {
        String name = random.nextBoolean() ? each : each.replace("max-age", "MAX-Age");
        text.append(" ".repeat(random.nextInt(3)))
            .append(name)
            .append(" ".repeat(random.nextInt(2)))
            .append(random.nextBoolean() ? "," : ",,\t");
      }
      CacheControl control = parse(text.toString().strip());
      String which = "seed " + seed + ": " + text;
      assertTrue(control.noCache() && control.immutable(), which);
      assertTrue(!control.noStore() && !control.isPublic(), which);
      assertEquals(seconds, control.maxAge(), which);
      assertEquals(seconds, control.staleIfError(), which);
    }
  }
}
