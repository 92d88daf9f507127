package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.AcquireTimeoutException;
import heddle.client.spi.PoolQueueFullException;
import heddle.client.spi.PoolSnapshot.RouteSnapshot;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections that calls share, in virtual time. */
@Timeout(60)
class SharedConnectionsTest {
  private static final Route KNOWN = new Route(Origin.http("a.test", 80), HttpVersion.HTTP_2);
  private static final Route NEW = new Route(Origin.https("b.test", 443));
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final List<SharedConnection> opened = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger dialled = new AtomicInteger();
  private int streams = 3;
  private Connector connector = (route, exchange, listener) -> {
    world.sleep(Duration.ofMillis(10));
    SharedConnection connection = new SharedConnection(listener, streams);
    opened.add(connection);
    return connection;
  };

  private ConnectionPool pool(PoolLimits limits) {
    Connector counted = (route, exchange, listener) -> {
      dialled.incrementAndGet();
      return connector.connect(route, exchange, listener);
    };
    return new ConnectionPool(limits, counted, world.loop());
  }

  private List<CompletableFuture<Lease>> acquireLater(ConnectionPool pool, Route route, int count)
      throws IOException {
    List<CompletableFuture<Lease>> calls = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      CompletableFuture<Lease> call = new CompletableFuture<>();
      int expected =
          pool.snapshot().route(route).pending() + pool.snapshot().route(route).inFlight();
      world.executor().execute(() -> {
        try {
          call.complete(pool.acquire(route, PATIENT));
        } catch (IOException e) {
          call.completeExceptionally(e);
        }
      });
      while (!call.isDone()
          && pool.snapshot().route(route).pending()
                  + pool.snapshot().route(route).inFlight()
              == expected) {
        world.sleep(Duration.ofNanos(1000));
      }
      calls.add(call);
    }
    return calls;
  }

  private void settle() throws IOException {
    world.sleep(Duration.ofMillis(100));
  }

  private static long done(List<CompletableFuture<Lease>> calls) {
    return calls.stream().filter(CompletableFuture::isDone).count();
  }

  @Test
  void callsThatComeTogetherShareTheConnectionThatTheFirstOpens() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    streams = 100;
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 100);
      assertEquals(1, pool.snapshot().route(KNOWN).open(), "opened while one was being opened");
      settle();
      assertEquals(100, done(calls));
      assertEquals(1, dialled.get());
      assertFalse(calls.getFirst().get().isReused());
      assertTrue(calls.getLast().get().isReused());
      RouteSnapshot route = pool.snapshot().route(KNOWN);
      assertEquals(100, route.inFlight());
      assertEquals(1, route.inUse());
      assertTrue(route.multiplexed());
    });
  }

  @Test
  void oneConnectionIsFilledBeforeTheNextIsOpenedUpToTheLimit() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxHttp2PerRoute(2).build());
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 8);
      settle();
      assertEquals(6, done(calls));
      assertEquals(2, opened.size());
      for (int i = 0; i < 6; i++) {
        assertSame(opened.get(i / 3), calls.get(i).get().connection(), "call " + i);
      }
      assertEquals(2, pool.snapshot().route(KNOWN).pending());
      calls.get(4).get().release(true);
      settle();
      assertSame(opened.get(1), calls.get(6).get().connection());
      assertFalse(calls.get(7).isDone());
    });
  }

  @Test
  void ourOwnLimitOfStreamsBoundsTheServers() throws Exception {
    ConnectionPool pool =
        pool(PoolLimits.builder().maxHttp2PerRoute(1).maxStreamsPerConnection(2).build());
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 3);
      settle();
      assertEquals(2, done(calls));
    });
  }

  @Test
  void aCallPrefersAConnectionInUseToAnIdleOneSoThatTheIdleExpires() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 4);
      settle();
      calls.get(0).get().release(true);
      calls.get(3).get().release(true);
      assertEquals(1, pool.snapshot().route(KNOWN).idle());
      Lease next = pool.acquire(KNOWN, PATIENT);
      assertSame(opened.get(0), next.connection());
      world.sleep(Duration.ofSeconds(56));
      assertTrue(opened.get(1).isClosed());
      assertFalse(opened.get(0).isClosed());
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void whileTheProtocolOfARouteIsUnknownOneConnectionFindsItOut() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    connector = (route, exchange, listener) -> {
      world.sleep(Duration.ofMillis(10));
      return new FakeConnection(listener);
    };
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, NEW, 20);
      assertEquals(1, dialled.get());
      settle();
      assertEquals(20, done(calls), "HTTP/1.1: each opens its own now");
      assertEquals(20, dialled.get());
    });
  }

  @Test
  void aFailedOpeningFailsItsCallAndLetsTheNextTry() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    Connector working = connector;
    connector = (route, exchange, listener) -> {
      world.sleep(Duration.ofMillis(5));
      if (dialled.get() <= 2) {
        throw new IOException("refused");
      }
      return working.connect(route, exchange, listener);
    };
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, NEW, 5);
      settle();
      assertEquals("refused", calls.get(0).exceptionNow().getMessage());
      assertEquals("refused", calls.get(1).exceptionNow().getMessage());
      for (int i = 2; i < 5; i++) {
        assertSame(opened.getFirst(), calls.get(i).get().connection());
      }
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void aRaisedLimitServesThoseWhoWaitAndALoweredOneThoseWhoCome() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxHttp2PerRoute(1).build());
    streams = 1;
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 6);
      settle();
      assertEquals(1, done(calls));
      opened.getFirst().allow(4);
      settle();
      assertEquals(4, done(calls));
      opened.getFirst().allow(2);
      calls.get(0).get().release(true);
      calls.get(1).get().release(true);
      settle();
      assertEquals(4, done(calls), "two are still on it, as many as it takes");
      calls.get(2).get().release(true);
      settle();
      assertEquals(5, done(calls));
    });
  }

  @Test
  void aLimitOfNothingLetsCallsWaitEvenOnAnIdleConnection() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxHttp2PerRoute(1).build());
    world.run(() -> {
      pool.acquire(KNOWN, PATIENT).release(true);
      opened.getFirst().allow(0);
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 1);
      settle();
      assertEquals(0, done(calls));
      opened.getFirst().allow(1);
      settle();
      assertSame(opened.getFirst(), calls.getFirst().get().connection());
    });
  }

  @Test
  void aConnectionThatGoesAwayGetsNoCallAndClosesAfterItsLast() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxHttp2PerRoute(1).build());
    world.run(() -> {
      Lease first = pool.acquire(KNOWN, PATIENT);
      Lease second = pool.acquire(KNOWN, PATIENT);
      opened.getFirst().goAway();
      Lease third = pool.acquire(KNOWN, PATIENT);
      assertNotSame(first.connection(), third.connection());
      assertEquals(2, pool.snapshot().open(), "it counts in all, and not for the route");
      assertEquals(1, pool.snapshot().route(KNOWN).draining());
      first.release(true);
      assertFalse(opened.getFirst().isClosed());
      second.release(true);
      assertTrue(opened.getFirst().isClosed());
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void aConnectionThatGoesAwayLetsThoseWhoWaitOpenAnother() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxHttp2PerRoute(1).build());
    streams = 1;
    world.run(() -> {
      Lease first = pool.acquire(KNOWN, PATIENT);
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 1);
      opened.getFirst().goAway();
      settle();
      assertSame(opened.get(1), calls.getFirst().get().connection());
      first.release(true);
    });
  }

  @Test
  void anIdleConnectionThatGoesAwayIsClosedAtOnce() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      pool.acquire(KNOWN, PATIENT).release(true);
      opened.getFirst().goAway();
      assertTrue(opened.getFirst().isClosed());
      assertEquals(0, pool.snapshot().open());
    });
  }

  @Test
  void aConnectionThatGoesAwayWhileItIsGivenBackIsClosed() throws Exception {
    for (int looks = 0; looks < 3; looks++) {
      ConnectionPool pool = pool(PoolLimits.DEFAULTS);
      int after = looks;
      opened.clear();
      world.run(() -> {
        Lease lease = pool.acquire(KNOWN, PATIENT);
        opened.getFirst().goAwayAfterLooks(after);
        lease.release(true);
        assertTrue(opened.getFirst().isClosed(), "after " + after + " looks");
        assertEquals(0, pool.snapshot().open());
      });
    }
  }

  @Test
  void aConnectionThatClosesFreesItsPlaceThoughItsLeasesAreStillHeld() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxTotal(1).build());
    world.run(() -> {
      Lease first = pool.acquire(KNOWN, PATIENT);
      Lease second = pool.acquire(KNOWN, PATIENT);
      first.connection().close();
      assertEquals(0, pool.snapshot().open());
      Lease next = pool.acquire(KNOWN, PATIENT);
      first.release(false);
      second.release(true);
      assertEquals(1, pool.snapshot().open());
      assertEquals(1, pool.snapshot().route(KNOWN).inFlight());
      assertTrue(next.connection().isOpen());
    });
  }

  @Test
  void aConnectionThatDiesWhileItIsHandedOverIsNotShared() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    Connector working = connector;
    connector = (route, exchange, listener) -> {
      Connection connection = working.connect(route, exchange, listener);
      if (dialled.get() == 1) {
        connection.close();
      }
      return connection;
    };
    world.run(() -> {
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 3);
      settle();
      assertSame(opened.get(0), calls.get(0).get().connection());
      assertSame(opened.get(1), calls.get(1).get().connection());
      assertSame(opened.get(1), calls.get(2).get().connection());
      calls.get(0).get().release(false);
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void theQueueOfASharedRouteIsBoundedAndItsFailuresNameTheLimits() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder()
        .maxHttp2PerRoute(1)
        .maxStreamsPerConnection(1)
        .maxQueuedPerRoute(1)
        .acquireTimeout(Duration.ofSeconds(10))
        .build());
    world.run(() -> {
      pool.acquire(KNOWN, PATIENT);
      List<CompletableFuture<Lease>> calls = acquireLater(pool, KNOWN, 1);
      PoolQueueFullException full =
          assertThrows(PoolQueueFullException.class, () -> pool.acquire(KNOWN, PATIENT));
      assertTrue(full.getMessage().contains("maxStreamsPerConnection, now 1"), full.getMessage());
      world.sleep(Duration.ofSeconds(11));
      Throwable late =
          assertInstanceOf(AcquireTimeoutException.class, calls.getFirst().exceptionNow());
      assertTrue(late.getMessage().contains("maxHttp2PerRoute, now 1"), late.getMessage());
    });
  }

  @Test
  void shutdownLetsTheCallsOnASharedConnectionEndBeforeItCloses() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease first = pool.acquire(KNOWN, PATIENT);
      Lease second = pool.acquire(KNOWN, PATIENT);
      pool.shutdown();
      first.release(true);
      assertFalse(opened.getFirst().isClosed());
      second.release(true);
      assertTrue(opened.getFirst().isClosed());
      pool.awaitEmpty(world.after(Duration.ofSeconds(1)));
    });
  }
}
