package heddle.client.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Delays that grow, at random. */
class BackoffTest {
  private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(5));

  private static final Random RANDOM = new Random(7);

  private static long longest(int repetition) {
    return IntStream.range(0, 10_000)
        .mapToLong(i -> BACKOFF.delay(repetition, RANDOM).toMillis())
        .max()
        .orElseThrow();
  }

  private static void assertAbout(long bound, long longest) {
    assertTrue(longest <= bound && longest > bound * 9 / 10, longest + " of " + bound + " ms");
  }

  @Test
  void theBoundOfADelayDoublesUpToTheLast() {
    assertAbout(100, longest(1));
    assertAbout(200, longest(2));
    assertAbout(3_200, longest(6));
    assertAbout(5_000, longest(7));
    assertAbout(5_000, longest(1_000));
  }

  @Test
  void theSameSourceGivesTheSameDelays() {
    for (int repetition = 1; repetition < 9; repetition++) {
      assertEquals(
          BACKOFF.delay(repetition, new Random(repetition)),
          BACKOFF.delay(repetition, new Random(repetition)));
    }
  }

  @Test
  void delaysAreSpreadFromNothingToTheirBound() {
    long early = IntStream.range(0, 10_000)
        .filter(i -> BACKOFF.delay(1, RANDOM).toMillis() < 25)
        .count();
    // A quarter of them, give or take far more than chance does.
    assertTrue(early > 2_000 && early < 3_000, early + " of 10000");
  }
}
