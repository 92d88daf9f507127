package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.time.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wheel alone, on a loop that is never started, with time given by hand. */
class TimerWheelTest {
  private static final long TICK = 1L << 22;

  private final TimerWheel wheel = new TimerWheel();
  private final List<Long> fired = new ArrayList<>();
  private SelectorLoop loop;

  @BeforeEach
  void openLoop() throws IOException {
    loop = new SelectorLoop("unstarted");
  }

  private LoopTimer timer(long at) {
    LoopTimer timer = new LoopTimer(loop, () -> fired.add(at));
    timer.arm(at);
    wheel.insert(timer, at);
    return timer;
  }

  @Test
  void firesNotBeforeItsTimeAndWithinATickAfterIt() {
    timer(10 * TICK + 1);
    wheel.expire(10 * TICK + 1);
    assertEquals(List.of(), fired);
    wheel.expire(11 * TICK);
    assertEquals(List.of(10 * TICK + 1), fired);
  }

  @Test
  void aTimeInThePastFiresAtOnce() {
    wheel.expire(100 * TICK);
    timer(5);
    wheel.expire(100 * TICK);
    assertEquals(List.of(5L), fired);
  }

  @Test
  void aRemovedTimerDoesNotFire() {
    LoopTimer first = timer(3 * TICK);
    LoopTimer second = timer(3 * TICK);
    LoopTimer third = timer(3 * TICK);
    wheel.remove(second);
    wheel.remove(third);
    wheel.remove(first);
    assertEquals(Deadline.NEVER_NANOS, wheel.nextNanos());
    wheel.expire(9 * TICK);
    assertEquals(List.of(), fired);
  }

  @Test
  void anEmptyWheelHasNothingToDo() {
    assertEquals(Deadline.NEVER_NANOS, wheel.nextNanos());
    wheel.expire(Long.MAX_VALUE >> 1);
    assertEquals(Deadline.NEVER_NANOS, wheel.nextNanos());
  }

  @Test
  void theFarthestMomentHasAPlace() {
    timer(Deadline.NEVER_NANOS - 1);
    wheel.expire(1_000_000 * TICK);
    assertEquals(List.of(), fired);
    assertTrue(wheel.nextNanos() > 1_000_000 * TICK);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whateverTheTimesEachTimerFiresOnceWhenItIsDue(long seed) {
    Random random = new Random(seed);
    List<Long> expected = new ArrayList<>();
    long now = 0;
    for (int step = 0; step < 3_000; step++) {
      if (random.nextInt(3) > 0) {
        long at = now + random.nextLong(1, 1L << (10 + random.nextInt(40)));
        timer(at);
        expected.add(at);
      }
      now += random.nextLong(1L << (15 + random.nextInt(20)));
      wheel.expire(now);
      checkFired(expected, now, "seed " + seed + ", step " + step);
    }
  }

  private void checkFired(List<Long> expected, long now, String where) {
    long tickStart = now / TICK * TICK;
    for (long at : fired) {
      assertTrue(at <= now, () -> where + ": fired " + (at - now) + " ns early");
      assertTrue(expected.remove(at), () -> where + ": fired twice: " + at);
    }
    fired.clear();
    for (long at : expected) {
      assertTrue(at > tickStart, () -> where + ": is late by " + (tickStart - at));
    }
    long next = wheel.nextNanos();
    for (long at : expected) {
      assertTrue(next <= at + TICK, () -> where + ": the loop would sleep past " + at);
    }
  }
}
