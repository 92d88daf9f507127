package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class MinimumRateTest {
  private static final long SECOND = 1_000_000_000;
  private static final MinimumRate RATE = new MinimumRate(240, Duration.ofSeconds(5));

  private final MinimumRate.Progress progress = new MinimumRate.Progress(RATE, 0);

  @Test
  void peerThatMovesNothingHasTheGrace() {
    assertEquals(5 * SECOND, progress.dueAt());
    progress.look(5 * SECOND - 1, 0);
    assertFalse(progress.isTooSlow());
    progress.look(5 * SECOND, 0);
    assertTrue(progress.isTooSlow());
  }

  @Test
  void eachByteBuysItsTime() {
    progress.look(5 * SECOND, 240);
    assertFalse(progress.isTooSlow());
    assertEquals(6 * SECOND, progress.dueAt());
    assertEquals(SECOND, progress.leadNanos());
  }

  @Test
  void peerAtTheRateIsNeverTooSlow() {
    for (long i = 1; i < 1_000; i++) {
      progress.look(i * SECOND, i * 240);
      assertFalse(progress.isTooSlow());
    }
  }

  @Test
  void peerBelowTheRateIsTooSlowInTheEnd() {
    long seconds = 1;
    while (!progress.isTooSlow()) {
      progress.look(seconds * SECOND, seconds * 200);
      seconds++;
    }
    assertEquals(31, seconds); // each second costs it 40 of the 1,200 bytes of the grace
  }

  @Test
  void pastBytesCountForAMinute() {
    progress.look(0, 1_000_000_000);
    assertEquals(60 * SECOND, progress.dueAt());
  }

  @Test
  void longGraceIsNotCut() {
    MinimumRate.Progress patient =
        new MinimumRate.Progress(new MinimumRate(240, Duration.ofMinutes(5)), 0);
    patient.look(0, 1_000_000);
    assertEquals(300 * SECOND, patient.dueAt());
  }

  @Test
  void timeInWhichThePeerIsNotWaitedForDoesNotCount() {
    progress.look(4 * SECOND, 0, true);
    assertEquals(9 * SECOND, progress.dueAt());
    progress.look(9 * SECOND, 0, false); // our side may have gone on just now
    assertEquals(14 * SECOND, progress.dueAt());
    progress.look(14 * SECOND, 0, false);
    assertTrue(progress.isTooSlow());
    progress.skip(100 * SECOND);
    progress.look(100 * SECOND, 24);
    assertFalse(progress.isTooSlow());
  }

  @Test
  void noRateIsNoLimit() {
    MinimumRate.Progress free = new MinimumRate.Progress(MinimumRate.OFF, 0);
    free.look(1_000_000 * SECOND, 0);
    assertFalse(free.isTooSlow());
    assertEquals(Long.MAX_VALUE, free.dueAt());
    assertEquals(Long.MAX_VALUE, free.leadNanos());
    assertEquals(Long.MAX_VALUE, MinimumRate.OFF.graceNanos());
  }

  @Test
  void valuesOutOfRangeAreRefused() {
    assertThrows(IllegalArgumentException.class, () -> new MinimumRate(-1, Duration.ZERO));
    assertThrows(IllegalArgumentException.class, () -> new MinimumRate(1, Duration.ofSeconds(-1)));
    assertThrows(IllegalArgumentException.class, () -> new MinimumRate(1, Duration.ZERO));
  }
}
