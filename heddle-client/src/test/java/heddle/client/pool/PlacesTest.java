package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.route.Route;
import heddle.http.Origin;
import heddle.testkit.SimNetwork;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What routes have in common: the places, and whose turn it is when all are taken. */
@Timeout(60)
class PlacesTest {
  private static final Route A = new Route(Origin.http("a.test", 80));
  private static final Route B = new Route(Origin.http("b.test", 80));
  private static final Route C = new Route(Origin.http("c.test", 80));

  private final SimNetwork world = SimNetwork.builder().virtualTime().build();
  private final Upkeep upkeep = new Upkeep(PoolLimits.DEFAULTS, world.loop());
  private final Places places = upkeep.places;

  @AfterEach
  void endWorld() {
    world.close();
  }

  private RoutePool route(Route route) {
    RoutePool pool = places.lock(route);
    pool.lock.unlock();
    return pool;
  }

  /** A connection that nobody uses from now on. */
  private PooledConnection idle(Route route) {
    RoutePool pool = places.lock(route);
    try {
      assertTrue(places.tryTake());
      PooledConnection entry = pool.reserve();
      pool.connections.opened(entry, new FakeConnection(entry), upkeep.now());
      pool.connections.giveBack(entry, upkeep.now());
      return entry;
    } finally {
      pool.lock.unlock();
    }
  }

  @Test
  void whileARouteWaitsForAPlaceNewcomersTakeNone() {
    RoutePool waits = route(A);
    idle(B);
    places.addStarved(waits);
    assertFalse(places.tryTake());
    assertNull(places.evictForNewcomer());
    places.removeStarved(waits);
    assertTrue(places.tryTake());
  }

  @Test
  void aPlaceForARouteThatNeedsNoneAnyMoreStaysFree() {
    places.addStarved(route(A));
    assertEquals(List.of(), places.relieve());
    assertEquals(0, places.taken());
    assertFalse(places.hasStarved());
  }

  @Test
  void theConnectionThatHasBeenIdleLongestOnWhicheverRouteMakesRoom() throws Exception {
    world.run(() -> {
      idle(B);
      world.sleep(Duration.ofSeconds(1));
      PooledConnection second = idle(A);
      world.sleep(Duration.ofSeconds(1));
      PooledConnection third = idle(C);
      places.evictForNewcomer();
      assertSame(second, places.evictForNewcomer());
      assertSame(third, places.evictForNewcomer());
      assertNull(places.evictForNewcomer());
      assertEquals(3, places.taken(), "the places belong to whoever evicted");
    });
  }
}
