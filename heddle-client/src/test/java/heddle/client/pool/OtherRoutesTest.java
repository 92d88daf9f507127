package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.client.spi.Route;
import heddle.http.Origin;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which connections of other routes a call is given. */
@Timeout(60)
class OtherRoutesTest {
  private static final Route A = new Route(Origin.https("a.test", 443));
  private static final Route B = new Route(Origin.https("b.test", 443));
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final List<SharedConnection> opened = new ArrayList<>();
  private final ConnectionPool pool = pool(PoolLimits.DEFAULTS);

  private ConnectionPool pool(PoolLimits limits) {
    Connector connector = (route, exchange, listener) -> {
      SharedConnection connection = new SharedConnection(listener, 2);
      opened.add(connection);
      return connection;
    };
    return new ConnectionPool(limits, connector, world.loop());
  }

  private @Nullable Lease elsewhere(Route route) throws IOException {
    return pool.acquireElsewhere(route, PATIENT, (other, connection) -> true);
  }

  private Lease given(Route route) throws IOException {
    Lease lease = elsewhere(route);
    assertNotNull(lease, () -> "nothing for " + route);
    return lease;
  }

  private void open(Route route) throws IOException {
    pool.acquire(route, PATIENT).release(true);
  }

  @Test
  void anIdleOneIsGivenAndOneThatOthersUse() throws Exception {
    world.run(() -> {
      open(A);
      Lease first = given(B);
      Lease second = given(B);
      assertSame(opened.getFirst(), second.connection());
      assertEquals(A, second.route());
      assertTrue(second.isReused());
      assertNull(elsewhere(B), "it carries two");
      RouteSnapshot route = pool.snapshot().route(A);
      assertEquals(2, route.inFlight());
      first.release(true);
      second.release(true);
      assertEquals(0, pool.snapshot().route(A).inFlight());
      assertEquals(1, pool.snapshot().route(A).idle());
    });
  }

  @Test
  void whatDoesNotSuitIsNotGiven() throws Exception {
    world.run(() -> {
      open(A);
      assertNull(pool.acquireElsewhere(
          B, PATIENT, (other, connection) -> !other.equals(A) || opened.get(0) != connection));
    });
  }

  @Test
  void whoseRouteHasAConnectionGetsNoOther() throws Exception {
    world.run(() -> {
      open(A);
      open(B);
      assertNull(elsewhere(B));
      opened.getLast().goAway();
      assertNotNull(elsewhere(B));
    });
  }

  @Test
  void oneThatTakesNoMoreCallsIsNotGiven() throws Exception {
    world.run(() -> {
      open(A);
      opened.getFirst().goAway();
      assertNull(elsewhere(B));
      open(A);
      opened.getLast().allow(0);
      assertNull(elsewhere(B));
      opened.getLast().allow(1);
      assertNotNull(elsewhere(B));
    });
  }

  @Test
  void oneThatIsTooOldIsNotGiven() throws Exception {
    world.run(() -> {
      open(A);
      Lease busy = pool.acquire(A, PATIENT);
      world.sleep(Duration.ofHours(1));
      assertNull(elsewhere(B));
      busy.release(true);
    });
  }

  @Test
  void aClosedPoolGivesNone() throws Exception {
    world.run(() -> {
      Lease busy = pool.acquire(A, PATIENT);
      pool.shutdown();
      assertNull(elsewhere(B));
      busy.release(true);
    });
  }

  @Test
  void whoWaitsForTheConnectionComesFirst() throws Exception {
    ConnectionPool small = pool(PoolLimits.builder().maxHttp2PerRoute(1).build());
    world.run(() -> {
      Lease first = small.acquire(A, PATIENT);
      Lease second = small.acquire(A, PATIENT);
      List<Lease> waited = new ArrayList<>();
      world.executor().execute(() -> {
        try {
          waited.add(small.acquire(A, PATIENT));
        } catch (IOException e) {
          throw new AssertionError(e);
        }
      });
      while (small.snapshot().route(A).pending() == 0) {
        world.sleep(Duration.ofMillis(1));
      }
      assertNull(small.acquireElsewhere(B, PATIENT, (other, connection) -> true));
      first.release(true);
      second.release(true);
      world.sleep(Duration.ofMillis(1));
      assertEquals(1, waited.size());
    });
  }

  @Test
  void aServerThatHasTurnedManyOriginsAwayGetsNoOthers() throws Exception {
    world.run(() -> {
      open(A);
      for (int i = 0; i < PooledConnection.MAX_MISDIRECTED; i++) {
        Route wrong = new Route(Origin.https("wrong" + i + ".test", 443));
        Lease lease = given(wrong);
        lease.misdirected(wrong.origin());
        lease.release(true);
        assertNull(elsewhere(wrong));
      }
      assertNull(elsewhere(B));
      opened.getFirst().close();
      open(A);
      assertNotNull(elsewhere(B));
    });
  }

  @Test
  void oneConnectionThatIsWrongSpeaksForItsRoute() throws Exception {
    world.run(() -> {
      open(A);
      Lease wrong = given(B);
      wrong.misdirected(B.origin());
      pool.acquire(A, PATIENT);
      pool.acquire(A, PATIENT);
      assertEquals(2, opened.size());
      assertNull(elsewhere(B));
      wrong.release(true);
    });
  }
}
