package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.testkit.ManualLoop;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When healthy connections end because of their age; in virtual time. */
@Timeout(60)
class ConnectionAgeTest {
  private static final Route A = new Route(Origin.http("a.test", 80));
  private static final Route B = new Route(Origin.http("b.test", 80));
  private static final Route SHARED = new Route(Origin.http("c.test", 80), HttpVersion.HTTP_2);
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());
  private static final SocketAddress OLD = InetSocketAddress.createUnresolved("10.0.0.1", 80);
  private static final SocketAddress NEW = InetSocketAddress.createUnresolved("10.0.0.2", 80);

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private SocketAddress address = OLD;

  // What opening a shared connection is like; read by the threads of the world.
  private volatile Duration handshake = Duration.ZERO;
  private volatile boolean refuses;
  private final AtomicInteger attempts = new AtomicInteger();

  private ConnectionPool pool(PoolLimits limits) {
    return new ConnectionPool(limits, this::connect, world.loop());
  }

  private Connection connect(Route route, Object exchange, ConnectionListener listener)
      throws IOException {
    if (route.version() == HttpVersion.HTTP_2) {
      attempts.incrementAndGet();
      world.sleep(handshake);
      if (refuses) {
        throw new IOException("nobody is there");
      }
      return new SharedConnection(listener, 100);
    }
    FakeConnection connection = new FakeConnection(listener);
    connection.remoteAddress = address;
    return connection;
  }

  private static List<Lease> acquire(ConnectionPool pool, Route route, int count) throws Exception {
    List<Lease> leases = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      leases.add(pool.acquire(route, PATIENT));
    }
    return leases;
  }

  private static long open(List<Lease> leases) {
    return leases.stream().filter(lease -> lease.connection().isOpen()).count();
  }

  @Test
  void connectionsThatAreOpenedTogetherDoNotEndTogether() throws Exception {
    ConnectionPool pool =
        pool(PoolLimits.builder().idleTimeout(Duration.ofMinutes(10)).build());
    world.run(() -> {
      List<Lease> leases = acquire(pool, A, 50);
      world.sleep(Duration.ofMinutes(5));
      leases.forEach(lease -> lease.release(true));
      world.sleep(Duration.ofMinutes(3));
      assertEquals(50, open(leases), "before 80% of the maximum age");
      world.sleep(Duration.ofMinutes(2));
      assertTrue(open(leases) > 10 && open(leases) < 40, "half of them: " + open(leases));
      world.sleep(Duration.ofMinutes(2));
      assertEquals(0, open(leases), "after 120% of it");
      assertEquals(0, pool.snapshot().open());
    });
  }

  @Test
  void aConnectionThatIsTooOldClosesWhenItIsGivenBack() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease lease = pool.acquire(A, PATIENT);
      world.sleep(Duration.ofMinutes(13));
      assertTrue(lease.connection().isOpen());
      lease.release(true);
      assertFalse(lease.connection().isOpen());
    });
  }

  @Test
  void aSharedConnectionThatIsTooOldLetsItsCallsEnd() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      List<Lease> leases = acquire(pool, SHARED, 3);
      Connection old = leases.get(0).connection();
      world.sleep(Duration.ofMinutes(13));
      leases.get(0).release(true);
      assertNotSame(old, pool.acquire(SHARED, PATIENT).connection());
      leases.get(1).release(true);
      assertTrue(old.isOpen());
      leases.get(2).release(true);
      assertFalse(old.isOpen());
    });
  }

  @Test
  void tooOldSharedConnectionTakesNoFurtherCallBeforeItsCallsEnd() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease stream = pool.acquire(SHARED, PATIENT);
      world.sleep(Duration.ofMinutes(13));
      Lease next = pool.acquire(SHARED, PATIENT);
      assertNotSame(stream.connection(), next.connection());
      assertEquals(1, pool.snapshot().route(SHARED).draining());
      assertTrue(stream.connection().isOpen());
      stream.release(true);
      assertFalse(stream.connection().isOpen());
      assertEquals(1, pool.snapshot().open());
    });
  }

  /** Calls once a second for as long; answers the time that they waited in all. */
  private Duration callEachSecond(ConnectionPool pool, Duration time) throws Exception {
    long waited = 0;
    for (long i = 0; i < time.toSeconds(); i++) {
      long start = world.loop().clock().nanoTime();
      Lease lease = pool.acquire(SHARED, PATIENT);
      waited += world.loop().clock().nanoTime() - start;
      world.sleep(Duration.ofSeconds(1));
      lease.release(true);
    }
    return Duration.ofNanos(waited);
  }

  @Test
  void theSuccessorOfASharedConnectionIsOpenBeforeThatIsTooOld() throws Exception {
    handshake = Duration.ofMillis(2_500);
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      assertEquals(handshake, callEachSecond(pool, Duration.ofSeconds(1)), "the first call");
      Lease lease = pool.acquire(SHARED, PATIENT);
      Connection first = lease.connection();
      assertEquals(Duration.ZERO, callEachSecond(pool, Duration.ofMinutes(13)));
      assertTrue(first.isOpen(), "a call still uses it");
      assertEquals(1, pool.snapshot().route(SHARED).draining());
      assertEquals(2, pool.snapshot().open());
      lease.release(true);
      assertFalse(first.isOpen());
      assertEquals(1, pool.snapshot().open());
      assertEquals(2, attempts.get());
    });
  }

  @Test
  void aSuccessorThatCannotBeOpenedLeavesTheConnectionToServeUntilItIsTooOld() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease lease = pool.acquire(SHARED, PATIENT);
      refuses = true;
      while (attempts.get() < 2) {
        pool.acquire(SHARED, PATIENT).release(true);
        world.sleep(Duration.ofSeconds(1));
      }
      assertEquals(1, pool.snapshot().open());
      assertSame(lease.connection(), pool.acquire(SHARED, PATIENT).connection());
      callEachSecond(pool, Duration.ofSeconds(5));
      assertEquals(2, attempts.get(), "it is tried once");
    });
  }

  @Test
  void noSuccessorIsOpenedBeyondTheLimitOfTheRoute() throws Exception {
    handshake = Duration.ofMillis(100);
    ConnectionPool pool = pool(PoolLimits.builder().maxHttp2PerRoute(1).build());
    world.run(() -> {
      assertEquals(
          handshake.multipliedBy(2),
          callEachSecond(pool, Duration.ofMinutes(13)),
          "the first call, and the first after the end of its connection");
      assertEquals(2, attempts.get());
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void closingThePoolEndsTheOpeningOfASuccessor() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      pool.acquire(SHARED, PATIENT).release(true);
      handshake = Duration.ofHours(1);
      while (attempts.get() < 2) {
        pool.acquire(SHARED, PATIENT).release(true);
        world.sleep(Duration.ofSeconds(1));
      }
      pool.shutdown();
      pool.awaitEmpty(Deadline.after(Duration.ofSeconds(1), world.loop().clock()));
      assertEquals(0, pool.snapshot().open());
    });
  }

  @Test
  void aConnectionGoesBeforeItsServerClosesItAsTheServerHasSaid() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease lease = pool.acquire(A, PATIENT);
      ((FakeConnection) lease.connection()).idleHint = Duration.ofSeconds(5);
      lease.release(true);
      world.sleep(Duration.ofMillis(4_400));
      assertTrue(lease.connection().isOpen());
      world.sleep(Duration.ofMillis(200));
      assertFalse(lease.connection().isOpen());
    });
  }

  @Test
  void whatAServerAllowsAnIdleConnectionIsLearnedFromItsEnd() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      List<Lease> leases = acquire(pool, A, 2);
      leases.get(0).release(true);
      world.sleep(Duration.ofSeconds(9));
      leases.get(1).release(true);
      world.sleep(Duration.ofSeconds(1));
      leases.get(0).connection().close();
      assertEquals(Duration.ofSeconds(9), pool.snapshot().route(A).idleLimit());
      world.sleep(Duration.ofMillis(7_900));
      assertTrue(leases.get(1).connection().isOpen());
      world.sleep(Duration.ofMillis(700));
      assertFalse(leases.get(1).connection().isOpen(), "it would have lived for 55 s");
    });
  }

  @Test
  void aReusedConnectionThatWasDeadTeachesTheSame() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      pool.acquire(A, PATIENT).release(true);
      world.sleep(Duration.ofSeconds(20));
      Lease again = pool.acquire(A, PATIENT);
      again.release(false);
      again.foundDead();
      assertEquals(Duration.ofSeconds(18), pool.snapshot().route(A).idleLimit());
      assertEquals(Duration.ofSeconds(55), pool.snapshot().route(B).idleLimit());
    });
  }

  @Test
  void aReusedConnectionThatWasLostInTheMiddleOfACallTeachesNothing() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      pool.acquire(A, PATIENT).release(true);
      world.sleep(Duration.ofSeconds(2));
      Lease again = pool.acquire(A, PATIENT);
      world.sleep(Duration.ofSeconds(10));
      again.release(false);
      again.foundDead();
      assertEquals(Duration.ofSeconds(55), pool.snapshot().route(A).idleLimit());
    });
  }

  @Test
  void aConnectionOverItsTimeIsNotLeasedThoughNoTimerHasComeYet() throws Exception {
    ManualLoop loop = new ManualLoop();
    ConnectionPool pool = new ConnectionPool(PoolLimits.DEFAULTS, this::connect, loop);
    Lease lease = pool.acquire(A, PATIENT);
    lease.release(true);
    loop.clock().advance(Duration.ofSeconds(54));
    Lease again = pool.acquire(A, PATIENT);
    assertSame(lease.connection(), again.connection());
    again.release(true);
    loop.clock().advance(Duration.ofSeconds(56));
    assertNotSame(lease.connection(), pool.acquire(A, PATIENT).connection());
  }

  @Test
  void connectionsToAddressesThatHaveVanishedAreDrained() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      List<Lease> old = acquire(pool, A, 2);
      address = NEW;
      List<Lease> stays = acquire(pool, A, 1);
      old.get(0).release(true);
      stays.get(0).release(true);
      assertEquals(2, pool.drainIf((where, peer) -> peer.equals(OLD)));
      assertEquals(0, pool.drainIf((where, peer) -> peer.equals(OLD)));
      assertFalse(old.get(0).connection().isOpen(), "idle");
      assertTrue(old.get(1).connection().isOpen(), "in use");
      RouteSnapshot route = pool.snapshot().route(A);
      assertEquals(1, route.draining());
      assertEquals(1, route.idle());
      old.get(1).release(true);
      assertFalse(old.get(1).connection().isOpen());
      assertTrue(stays.get(0).connection().isOpen());
      assertEquals(0, pool.drainIf((where, peer) -> where.equals(B)));
      assertEquals(1, pool.drainIf((where, peer) -> where.equals(A)));
      assertEquals(0, pool.snapshot().open());
    });
  }

  @Test
  void unusedRouteIsForgotten() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      pool.acquire(A, PATIENT).release(false);
      pool.acquire(B, PATIENT).release(true);
      world.sleep(Duration.ofMinutes(4));
      assertEquals(2, pool.snapshot().routes().size());
      pool.acquire(B, PATIENT).release(true);
      world.sleep(Duration.ofMinutes(2));
      assertEquals(1, pool.snapshot().routes().size());
      world.sleep(Duration.ofMinutes(5));
      assertEquals(List.of(), pool.snapshot().routes());
      assertTrue(pool.acquire(A, PATIENT).connection().isOpen());
    });
  }

  @Test
  void aRouteIsForgottenFiveMinutesAfterItsLastUse() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      pool.acquire(A, PATIENT).release(false);
      world.sleep(Duration.ofMinutes(4));
      pool.acquire(A, PATIENT).release(false);
      world.sleep(Duration.ofMinutes(4));
      assertEquals(1, pool.snapshot().routes().size(), "four minutes after its last use");
      world.sleep(Duration.ofMinutes(2));
      assertEquals(List.of(), pool.snapshot().routes());
    });
  }

  @Test
  void ofManyRoutesOnlyAFewAreRemembered() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxTotal(3).build());
    world.run(() -> {
      for (int i = 0; i < 100; i++) {
        pool.acquire(new Route(Origin.http("host" + i + ".test", 80)), PATIENT).release(true);
      }
      assertEquals(3, pool.snapshot().open());
      assertTrue(pool.snapshot().routes().size() <= 7, "remembered: " + pool.snapshot());
    });
  }
}
