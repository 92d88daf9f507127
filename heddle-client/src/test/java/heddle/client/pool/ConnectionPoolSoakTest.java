package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.http.Origin;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many calls that use few places in every way there is, in virtual time. */
class ConnectionPoolSoakTest {
  private static final int MAX_TOTAL = 5;
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());
  private static final List<Route> ROUTES = List.of(
      new Route(Origin.http("a.test", 80)),
      new Route(Origin.http("b.test", 80)),
      new Route(Origin.http("c.test", 80)));

  private final AtomicInteger attempts = new AtomicInteger();
  private final AtomicInteger using = new AtomicInteger();
  private final AtomicInteger served = new AtomicInteger();

  private Connection connectOrFail(ConnectionListener onClosed) throws IOException {
    if (attempts.incrementAndGet() % 7 == 3) {
      throw new IOException("refused");
    }
    return new FakeConnection(onClosed);
  }

  @Test
  void whateverTheCallsDoNoPlaceIsLostAndNoLimitBroken() throws Exception {
    try (SimNetwork world = SimNetwork.builder().virtualTime().build()) {
      ConnectionPool pool = new ConnectionPool(
          PoolLimits.builder()
              .maxPerRoute(3)
              .maxTotal(MAX_TOTAL)
              .acquireTimeout(Duration.ofMillis(20))
              .build(),
          (route, exchange, onClosed) -> connectOrFail(onClosed),
          world.loop());
      world.run(() -> {
        List<CompletableFuture<Void>> callers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          Random random = new Random(i);
          callers.add(CompletableFuture.runAsync(
              () -> useForAWhile(world, pool, random), world.executor()));
        }
        for (CompletableFuture<Void> caller : callers) {
          while (!caller.isDone()) {
            world.sleep(Duration.ofMillis(5));
          }
          caller.get();
        }
        assertNothingIsLeft(world, pool);
      });
    }
  }

  private void assertNothingIsLeft(SimNetwork world, ConnectionPool pool) throws IOException {
    assertTrue(served.get() > 400, "served " + served);
    for (PoolSnapshot.RouteSnapshot route : pool.snapshot().routes()) {
      assertEquals(0, route.inUse(), route::toString);
      assertEquals(0, route.pending(), route::toString);
    }
    pool.shutdown();
    assertEquals(0, pool.snapshot().open());
    pool.awaitEmpty(world.after(Duration.ofSeconds(1)));
  }

  private void useForAWhile(SimNetwork world, ConnectionPool pool, Random random) {
    for (int i = 0; i < 50; i++) {
      try {
        boolean anew = random.nextInt(4) == 0;
        Lease lease = pool.acquire(
            ROUTES.get(random.nextInt(3)), PATIENT, anew, world.clock().nanoTime());
        assertFalse(anew && lease.isReused());
        assertTrue(using.incrementAndGet() <= MAX_TOTAL, "more connections than the total allows");
        world.sleep(Duration.ofMillis(random.nextInt(3)));
        using.decrementAndGet();
        served.incrementAndGet();
        if (random.nextInt(5) == 0) {
          lease.connection().close();
        }
        lease.release(random.nextInt(4) > 0);
      } catch (AcquireTimeoutException e) {
        assertEquals(MAX_TOTAL, e.pool().limits().maxTotal());
      } catch (IOException e) {
        assertEquals("refused", e.getMessage());
      }
    }
  }
}
