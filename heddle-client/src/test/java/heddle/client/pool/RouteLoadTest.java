package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RouteLoadTest {
  private static final long MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final RouteLoad load = new RouteLoad(0);
  private long now;

  private void callsEvery(long nanos, int count, long nanosInUse) {
    for (int i = 0; i < count; i++) {
      now += nanos;
      load.arrived(now);
      load.ended(nanosInUse);
    }
  }

  @Test
  void aSteadyLoadIsMeasuredAsItIs() {
    callsEvery(2 * MILLI, 10_000, 30 * MILLI);
    assertEquals(500, load.arrivalRate(now), 1);
    assertEquals(Duration.ofMillis(30), load.meanTimeInUse(now));
  }

  @Test
  void aLoadThatChangesIsFollowedWithinHalfAMinute() {
    callsEvery(2 * MILLI, 10_000, 30 * MILLI);
    callsEvery(100 * MILLI, 300, 200 * MILLI);
    assertEquals(10, load.arrivalRate(now), 30);
    callsEvery(100 * MILLI, 300, 200 * MILLI);
    assertEquals(10, load.arrivalRate(now), 3);
    long millis = load.meanTimeInUse(now).toMillis();
    assertTrue(millis > 170 && millis <= 200, millis + " ms");
  }

  @Test
  void loadFadesWithoutFurtherCalls() {
    callsEvery(MILLI, 5_000, MILLI);
    now += TimeUnit.SECONDS.toNanos(60);
    assertEquals(0, load.arrivalRate(now), 1);
  }

  @Test
  void theFirstCallsOfARouteAreNotTakenForALoadOfThousands() {
    callsEvery(1, 5, MILLI);
    assertEquals(5, load.arrivalRate(now), 0.01);
    assertEquals(0, new RouteLoad(0).arrivalRate(0));
    assertEquals(Duration.ZERO, new RouteLoad(0).meanTimeInUse(0));
  }
}
