package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The limit in front of simulated servers, with always more calls than it lets in. */
class AdaptiveLimitTest {
  private static final double MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  /** A server that works on this many calls at once; more calls slow each other down. */
  private static final class Server {
    double baseNanos = 20 * MILLI;
    int capacity = 50;
    final Random random = new Random(7);

    double nanos(int inFlight) {
      double noise = 0.7 + 0.6 * random.nextDouble();
      return baseNanos * noise * Math.max(1, (double) inFlight / capacity);
    }
  }

  private record Call(long startedAt, long endsAt) {}

  private final Server server = new Server();
  private final PriorityQueue<Call> calls =
      new PriorityQueue<>(Comparator.comparingLong(Call::endsAt));
  private long now;
  private long ended;
  private int demand = Integer.MAX_VALUE;

  private AdaptiveLimit limit(int min, int max) {
    return new AdaptiveLimit(new PoolLimits.Adaptive(min, max));
  }

  /** The limit's mean over the last half of the time. */
  private double run(AdaptiveLimit limit, int seconds) {
    long begin = now;
    long end = now + TimeUnit.SECONDS.toNanos(seconds);
    long middle = begin + (end - begin) / 2;
    double weighted = 0;
    ended = 0;
    while (now < end) {
      while (calls.size() < Math.min(demand, limit.limit())) {
        calls.add(new Call(now, now + (long) server.nanos(calls.size() + 1)));
      }
      Call next = calls.remove();
      weighted += next.endsAt >= middle ? (double) limit.limit() * (next.endsAt - now) : 0;
      now = next.endsAt;
      ended++;
      limit.ended(next.startedAt, now, calls.size() + 1);
    }
    return weighted / (end - middle);
  }

  private static void assertAbout(double least, double most, double actual) {
    assertTrue(actual >= least && actual <= most, "the limit was " + actual);
  }

  @Test
  void theLimitComesToWhatTheServerCopesWith() {
    for (int capacity : new int[] {5, 50, 500}) {
      server.capacity = capacity;
      calls.clear();
      double found = run(limit(1, 4_000), 60);
      assertAbout(0.95 * capacity, 1.9 * capacity, found);
      double best = capacity * 60 / (server.baseNanos / 1e9);
      assertTrue(ended > 0.85 * best, ended + " of " + best + " that the server could");
    }
  }

  @Test
  void aServerWithoutBoundsGetsTheMost() {
    server.capacity = 1_000_000;
    assertAbout(199, 201, run(limit(1, 200), 60));
  }

  @Test
  void theLeastIsKeptHoweverSlowTheServerBecomes() {
    AdaptiveLimit limit = limit(10, 200);
    run(limit, 60);
    server.capacity = 1;
    assertAbout(10, 20, run(limit, 60));
  }

  @Test
  void aServerThatLosesHalfOfItsPowerIsRelieved() {
    AdaptiveLimit limit = limit(1, 1_000);
    server.capacity = 100;
    run(limit, 60);
    server.capacity = 30;
    assertAbout(28, 60, run(limit, 60));
  }

  @Test
  void aServerThatGainsPowerIsUsed() {
    AdaptiveLimit limit = limit(1, 1_000);
    server.capacity = 20;
    run(limit, 60);
    server.capacity = 200;
    assertAbout(190, 380, run(limit, 60));
  }

  @Test
  void callsThatTakeLongerForAReasonOfTheirOwnAreNotMistakenForOverload() {
    AdaptiveLimit limit = limit(1, 1_000);
    server.capacity = 100;
    run(limit, 60);
    server.baseNanos *= 5;
    assertAbout(90, 190, run(limit, 300));
  }

  @Test
  void aLoadThatDoesNotNeedTheLimitLeavesItAlone() {
    AdaptiveLimit limit = limit(1, 1_000);
    server.capacity = 100;
    demand = 10;
    run(limit, 60);
    int before = limit.limit();
    assertTrue(before > demand && before <= 4 * demand, "the limit was " + before);
    run(limit, 60);
    assertEquals(before, limit.limit());
  }

  /** Ten calls that begin together, as many as may be in flight, and take so long. */
  private void window(AdaptiveLimit limit, int millis) {
    long startedAt = now;
    now += TimeUnit.MILLISECONDS.toNanos(millis);
    for (int i = 0; i < 10; i++) {
      limit.ended(startedAt, now, limit.limit());
    }
  }

  @Test
  void whatCallsHaveToTakeIsMeasuredOnceThoseFromBeforeTheProbeHaveLeft() {
    AdaptiveLimit limit = limit(1, 1_000);
    for (int i = 0; i < 5; i++) {
      window(limit, 100);
    }
    for (int i = 0; i < 10; i++) {
      window(limit, 200);
    }
    int halved = limit.limit();
    window(limit, 200);
    assertEquals(halved, limit.limit(), "while the others leave");
    window(limit, 100);
    int restored = limit.limit();
    assertTrue(restored >= 2 * halved, halved + " was restored to " + restored);
    for (int i = 0; i < 20; i++) {
      window(limit, 200);
    }
    assertTrue(limit.limit() < restored, "twice as long as they have to: " + limit.limit());
  }
}
