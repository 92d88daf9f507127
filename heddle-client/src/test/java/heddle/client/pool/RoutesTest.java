package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.http.Origin;
import heddle.testkit.SimNetwork;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What routes share: the places for connections, and which route gets one when all are taken. */
@Timeout(60)
class RoutesTest {
  private static final Route A = new Route(Origin.http("a.test", 80));
  private static final Route B = new Route(Origin.http("b.test", 80));
  private static final Route C = new Route(Origin.http("c.test", 80));

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final Routes routes = new Routes(PoolLimits.DEFAULTS, world.loop());

  /** A connection that no call uses from now on. */
  private PooledConnection idle(Route route) {
    RoutePool pool = routes.of(route);
    PooledConnection entry = assertInstanceOf(
        PooledConnection.class, pool.admit(false, routes.now()), "a place is free");
    pool.opened(entry, new FakeConnection(entry));
    pool.release(entry, true, RoutePool.NOT_USED);
    return entry;
  }

  @Test
  void whileARouteWaitsForAPlaceNewcomersTakeNone() {
    RoutePool waits = routes.of(A);
    idle(B);
    routes.starved.add(waits);
    assertFalse(routes.tryTakePlace());
    assertNull(routes.evictForNewcomer());
    routes.starved.remove(waits);
    assertTrue(routes.tryTakePlace());
  }

  @Test
  void anIdleConnectionMakesRoomForTheRouteThatHasWaitedLongest() {
    Routes one = new Routes(PoolLimits.builder().maxTotal(1).build(), world.loop());
    RoutePool busy = one.of(B);
    PooledConnection entry = assertInstanceOf(PooledConnection.class, busy.admit(false, one.now()));
    busy.opened(entry, new FakeConnection(entry));
    Waiter longest = assertInstanceOf(Waiter.class, one.of(A).admit(false, one.now()));
    Waiter newcomer = assertInstanceOf(Waiter.class, one.of(C).admit(false, one.now()));
    busy.release(entry, true, RoutePool.NOT_USED);
    assertNotNull(longest.granted());
    assertNull(newcomer.granted());
    assertEquals(1, one.placesTaken());
  }

  @Test
  void aPlaceForARouteThatNeedsNoneAnyMoreStaysFree() {
    routes.starved.add(routes.of(A));
    routes.relieve();
    assertEquals(0, routes.placesTaken());
    assertTrue(routes.tryTakePlace(), "no route waits any longer");
  }

  @Test
  void theConnectionThatHasBeenIdleLongestOnAnyRouteMakesRoom() throws Exception {
    world.run(() -> {
      idle(B);
      world.sleep(Duration.ofSeconds(1));
      PooledConnection second = idle(A);
      world.sleep(Duration.ofSeconds(1));
      PooledConnection third = idle(C);
      routes.evictForNewcomer();
      assertSame(second, routes.evictForNewcomer());
      assertSame(third, routes.evictForNewcomer());
      assertNull(routes.evictForNewcomer());
      assertEquals(3, routes.placesTaken(), "the places belong to the thread that evicted");
    });
  }
}
