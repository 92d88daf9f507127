package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many calls are in flight at once, and what the pool says of it; in virtual time. */
@Timeout(120)
class InFlightTest {
  private static final Route PLAIN = new Route(Origin.http("a.test", 80));
  private static final Route SHARED = new Route(Origin.http("b.test", 80), HttpVersion.HTTP_2);
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final AtomicInteger inFlight = new AtomicInteger();

  private ConnectionPool pool(PoolLimits.Builder limits) {
    return new ConnectionPool(limits.build(), InFlightTest::connect, world.loop());
  }

  private static Connection connect(Route route, Object exchange, ConnectionListener listener) {
    return route.version() == HttpVersion.HTTP_2
        ? new SharedConnection(listener, 100)
        : new FakeConnection(listener);
  }

  private CompletableFuture<Lease> acquireLater(ConnectionPool pool, Route route)
      throws IOException {
    CompletableFuture<Lease> lease = new CompletableFuture<>();
    world.executor().execute(() -> {
      try {
        lease.complete(pool.acquire(route, PATIENT));
      } catch (IOException e) {
        lease.completeExceptionally(e);
      }
    });
    world.sleep(Duration.ofMillis(1));
    return lease;
  }

  @Test
  void theLimitIsTheSameWhetherConnectionsAreSharedOrNot() throws Exception {
    for (Route route : List.of(PLAIN, SHARED)) {
      ConnectionPool pool = pool(PoolLimits.builder().maxInFlightPerRoute(2));
      world.run(() -> {
        Lease first = pool.acquire(route, PATIENT);
        Lease second = pool.acquire(route, PATIENT);
        CompletableFuture<Lease> third = acquireLater(pool, route);
        CompletableFuture<Lease> fourth = acquireLater(pool, route);
        assertEquals(2, pool.snapshot().route(route).pending());
        first.release(true);
        world.sleep(Duration.ofMillis(1));
        assertTrue(third.isDone() && !fourth.isDone(), "first come, first served");
        second.release(false);
        world.sleep(Duration.ofMillis(1));
        assertTrue(fourth.isDone());
        assertEquals(2, pool.snapshot().route(route).inFlight());
      });
    }
  }

  @Test
  void failureNamesTheLimitThatHeldTheCallBack() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder()
        .maxInFlightPerRoute(1)
        .maxQueuedPerRoute(1)
        .acquireTimeout(Duration.ofSeconds(10)));
    world.run(() -> {
      pool.acquire(SHARED, PATIENT);
      CompletableFuture<Lease> late = acquireLater(pool, SHARED);
      IOException full =
          assertThrows(PoolQueueFullException.class, () -> pool.acquire(SHARED, PATIENT));
      assertTrue(full.getMessage().contains("maxInFlightPerRoute, now 1"), full.getMessage());
      world.sleep(Duration.ofSeconds(11));
      Throwable timeout = assertInstanceOf(AcquireTimeoutException.class, late.exceptionNow());
      assertTrue(timeout.getMessage().contains("maxInFlightPerRoute, now 1"));
    });
  }

  @Test
  void thePoolMeasuresTheLoadAndWhatItNeeds() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder());
    world.run(() -> {
      for (int i = 0; i < 2_000; i++) {
        world.executor().execute(() -> use(pool, PLAIN, now -> Duration.ofMillis(120)));
        world.sleep(Duration.ofMillis(10));
      }
      RouteSnapshot route = pool.snapshot().route(PLAIN);
      assertEquals(100, route.arrivalRate(), 2);
      long error = route.meanTimeInUse().minusMillis(120).toNanos();
      assertTrue(Math.abs(error) < 1_000, "off by " + error + " ns");
      assertEquals(12, route.neededInFlight(), 1);
      assertTrue(route.toString().contains("each need 1"), route.toString());
    });
  }

  @Test
  void theAdaptiveLimitFollowsWhatTheServerCopesWith() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().adaptive(1, 500).maxQueuedPerRoute(5_000));
    world.run(() -> {
      List<CompletableFuture<Void>> callers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        callers.add(CompletableFuture.runAsync(
            () -> {
              for (int call = 0; call < 60; call++) {
                useServerOfTwenty(pool);
              }
            },
            world.executor()));
      }
      world.sleep(Duration.ofSeconds(3));
      int[] limits = new int[21];
      for (int i = 0; i < limits.length; i++) {
        world.sleep(Duration.ofMillis(50));
        limits[i] = pool.snapshot().route(SHARED).inFlightLimit();
      }
      Arrays.sort(limits);
      int median = limits[limits.length / 2];
      assertTrue(median >= 18 && median <= 45, "for a server that copes with 20: " + median);
      for (CompletableFuture<Void> caller : callers) {
        while (!caller.isDone()) {
          world.sleep(Duration.ofMillis(20));
        }
        caller.get();
      }
    });
  }

  @Test
  void callsThatEndBadlyTeachTheAdaptiveLimitNothing() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().adaptive(1, 500));
    world.run(() -> {
      assertEquals(1, limitAfterCalls(pool, false));
      assertEquals(2, limitAfterCalls(pool, true));
    });
  }

  private int limitAfterCalls(ConnectionPool pool, boolean well) throws IOException {
    for (int i = 0; i < 10; i++) {
      Lease lease = pool.acquire(PLAIN, PATIENT);
      world.sleep(Duration.ofMillis(10));
      lease.release(well);
    }
    return pool.snapshot().route(PLAIN).inFlightLimit();
  }

  /** Twenty calls take 10 ms each; more slow each other. */
  private void useServerOfTwenty(ConnectionPool pool) {
    use(pool, SHARED, now -> Duration.ofNanos(10_000_000L * Math.max(20, now) / 20));
  }

  private void use(ConnectionPool pool, Route route, IntFunction<Duration> timeInUse) {
    try {
      Lease lease = pool.acquire(route, PATIENT);
      int now = inFlight.incrementAndGet();
      world.sleep(timeInUse.apply(now));
      inFlight.decrementAndGet();
      lease.release(true);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
