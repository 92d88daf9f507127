package heddle.transport.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class DeadlineTest {
  private final AtomicLong time = new AtomicLong(1_000);
  private final Clock clock = time::get;

  @Test
  void passesWhenTheClockReachesIt() {
    Deadline deadline = Deadline.after(Duration.ofNanos(50), clock);
    assertFalse(deadline.isPast(clock));
    assertEquals(50, deadline.remainingNanos(clock));
    time.set(1_050);
    assertTrue(deadline.isPast(clock));
    time.set(9_999);
    assertEquals(0, deadline.remainingNanos(clock));
  }

  @Test
  void neverDoesNotPass() {
    time.set(Long.MAX_VALUE);
    assertFalse(Deadline.never().isPast(clock));
    assertTrue(Deadline.never().isNever());
    assertEquals(Deadline.NEVER_NANOS, Deadline.never().remainingNanos(clock));
  }

  @Test
  void aTimeoutTooLongForTheClockIsNever() {
    assertSame(Deadline.never(), Deadline.after(Duration.ofSeconds(Long.MAX_VALUE), clock));
    assertSame(Deadline.never(), Deadline.after(Duration.ofNanos(Long.MAX_VALUE), clock));
  }

  @Test
  void aTimeoutCountsFromItsStartAlsoWhereTheClockIsNegative() {
    assertEquals(new Deadline(57), Deadline.after(Duration.ofNanos(50), 7));
    assertEquals(new Deadline(-50), Deadline.after(Duration.ofNanos(50), -100));
    assertSame(Deadline.never(), Deadline.after(Duration.ofDays(60_000), -100));
  }

  @Test
  void boundedNanosCanBeAddedToAnyTimeOfTheClock() {
    assertEquals(50, Deadline.boundedNanos(Duration.ofNanos(50)));
    long longest = Deadline.boundedNanos(Duration.ofSeconds(Long.MAX_VALUE));
    assertTrue(longest > Duration.ofDays(50_000).toNanos(), "only " + longest);
    assertTrue(System.nanoTime() + longest > System.nanoTime());
    assertTrue(Long.MAX_VALUE / 2 + longest > 0, "overflows with " + longest);
  }

  @Test
  void aNegativeTimeoutIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Deadline.after(Duration.ofNanos(-1), clock));
  }

  @Test
  void theEarlierOfTwoIsTheNearerOne() {
    Deadline near = new Deadline(5);
    Deadline far = new Deadline(6);
    assertSame(near, near.earlier(far));
    assertSame(near, far.earlier(near));
    assertSame(far, Deadline.never().earlier(far));
  }
}
