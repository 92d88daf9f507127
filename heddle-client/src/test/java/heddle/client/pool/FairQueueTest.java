package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand calls that come at once, of which 64 at a time may be in flight; in virtual time. */
@Timeout(120)
class FairQueueTest {
  private static final int LIMIT = 64;
  private static final int CALLERS = 1_000;
  private static final Duration TIME_IN_USE = Duration.ofMillis(100);
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  @Test
  void connectionsAreSharedOutFairlyAndWithoutLoss() throws Exception {
    assertFairAndFast(
        new ConnectionPool(
            PoolLimits.builder().maxPerRoute(LIMIT).build(),
            (route, exchange, listener) -> new FakeConnection(listener),
            world.loop()),
        new Route(Origin.http("a.test", 80)));
  }

  @Test
  void callsInFlightOnOneSharedConnectionAreBoundedFairlyAndWithoutLoss() throws Exception {
    assertFairAndFast(
        new ConnectionPool(
            PoolLimits.builder().maxInFlightPerRoute(LIMIT).build(),
            (route, exchange, listener) -> new SharedConnection(listener, CALLERS),
            world.loop()),
        new Route(Origin.http("a.test", 80), HttpVersion.HTTP_2));
  }

  private void assertFairAndFast(ConnectionPool pool, Route route) throws Exception {
    world.run(() -> {
      List<Lease> first = new ArrayList<>();
      for (int i = 0; i < LIMIT; i++) {
        first.add(pool.acquire(route, PATIENT));
      }
      long[] gotAt = new long[CALLERS];
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      for (int i = 0; i < CALLERS; i++) {
        int position = i;
        callers.add(
            CompletableFuture.runAsync(() -> gotAt[position] = use(pool, route), world.executor()));
        while (pool.snapshot().route(route).pending() <= position) {
          world.sleep(Duration.ofNanos(1));
        }
      }
      assertEquals(LIMIT, pool.snapshot().route(route).inFlight());
      long begin = world.clock().nanoTime();
      first.forEach(lease -> lease.release(true));
      for (CompletableFuture<Void> caller : callers) {
        while (!caller.isDone()) {
          world.sleep(TIME_IN_USE.dividedBy(100));
        }
        caller.get();
      }
      assertTimes(begin, world.clock().nanoTime(), gotAt);
    });
  }

  private long use(ConnectionPool pool, Route route) {
    try {
      Lease lease = pool.acquire(route, PATIENT);
      long got = world.clock().nanoTime();
      world.sleep(TIME_IN_USE);
      lease.release(true);
      return got;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void assertTimes(long begin, long end, long[] gotAt) {
    long use = TIME_IN_USE.toNanos();
    long ideal = (CALLERS + LIMIT - 1) / LIMIT * use;
    assertTrue(end - begin <= 1.03 * ideal, "took " + (end - begin) + " ns, ideal " + ideal);
    long[] waits = new long[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
      waits[i] = gotAt[i] - begin;
      long fair = i / LIMIT * use;
      assertTrue(
          Math.abs(waits[i] - fair) <= use / 10, "caller " + i + " waited " + waits[i] + " ns");
    }
    Arrays.sort(waits);
    int p99 = CALLERS * 99 / 100;
    long fairP99 = p99 / LIMIT * use;
    assertTrue(Math.abs(waits[p99] - fairP99) <= fairP99 / 10, "p99 waited " + waits[p99] + " ns");
  }
}
