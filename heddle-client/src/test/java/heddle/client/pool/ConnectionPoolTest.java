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
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.http.Origin;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.SimNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The pool with connections that carry nothing, in virtual time. */
class ConnectionPoolTest {
  private static final Route A = new Route(Origin.http("a.test", 80));
  private static final Route B = new Route(Origin.http("b.test", 80));
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final List<FakeConnection> opened = Collections.synchronizedList(new ArrayList<>());
  private Connector connector = (route, exchange, onClosed) -> open(onClosed);

  private FakeConnection open(ConnectionListener onClosed) {
    FakeConnection connection = new FakeConnection(onClosed);
    opened.add(connection);
    return connection;
  }

  private ConnectionPool pool(PoolLimits limits) {
    return new ConnectionPool(
        limits, (route, exchange, done) -> connector.connect(route, exchange, done), world.loop());
  }

  /** A call on a thread of the world. */
  private CompletableFuture<Lease> acquireLater(ConnectionPool pool, Route route) {
    CompletableFuture<Lease> lease = new CompletableFuture<>();
    world.executor().execute(() -> complete(lease, () -> pool.acquire(route, PATIENT)));
    return lease;
  }

  private Lease acquireAnew(ConnectionPool pool) throws IOException {
    return pool.acquire(A, PATIENT, true, world.clock().nanoTime());
  }

  /** Calls {@link ConnectionPool#acquire}. */
  @FunctionalInterface
  private interface Acquire {
    Lease call() throws IOException;
  }

  private static void complete(CompletableFuture<Lease> lease, Acquire acquire) {
    try {
      lease.complete(acquire.call());
    } catch (IOException e) {
      lease.completeExceptionally(e);
    }
  }

  private void awaitPending(ConnectionPool pool, Route route, int count) throws IOException {
    while (pool.snapshot().route(route).pending() != count) {
      world.sleep(Duration.ofMillis(1));
    }
  }

  @Test
  void theConnectionReleasedLastIsLeasedFirst() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease first = pool.acquire(A, PATIENT);
      Lease second = pool.acquire(A, PATIENT);
      assertFalse(first.isReused());
      second.release(true);
      first.release(true);
      Lease again = pool.acquire(A, PATIENT);
      assertSame(first.connection(), again.connection());
      assertTrue(again.isReused());
      assertEquals(2, opened.size());
    });
  }

  @Test
  void aCallThatNeedsANewConnectionGetsItInThePlaceOfTheOldestIdleOne() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(2).maxTotal(2).build());
    world.run(() -> {
      Lease oldest = pool.acquire(A, PATIENT);
      Lease newest = pool.acquire(A, PATIENT);
      oldest.release(true);
      newest.release(true);
      Lease anew = acquireAnew(pool);
      assertFalse(anew.isReused());
      assertFalse(oldest.connection().isOpen());
      assertTrue(newest.connection().isOpen());
      assertEquals(2, pool.snapshot().open());
      assertSame(newest.connection(), pool.acquire(A, PATIENT).connection());
    });
  }

  @Test
  void aCallThatNeedsANewConnectionWaitsInItsTurnForAPlace() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).build());
    world.run(() -> {
      Lease holder = pool.acquire(A, PATIENT);
      CompletableFuture<Lease> first = acquireLater(pool, A);
      awaitPending(pool, A, 1);
      CompletableFuture<Lease> anew = new CompletableFuture<>();
      world.executor().execute(() -> complete(anew, () -> acquireAnew(pool)));
      awaitPending(pool, A, 2);
      holder.release(true);
      assertSame(holder.connection(), first.get().connection());
      first.get().release(true);
      assertFalse(anew.get().isReused());
      assertFalse(holder.connection().isOpen());
      assertEquals(1, pool.snapshot().open());
      anew.get().release(true);
      assertSame(anew.get().connection(), pool.acquire(A, PATIENT).connection());
    });
  }

  @Test
  void aNewConnectionThatCannotBeOpenedFreesThePlaceOfTheOneItReplaced() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).maxTotal(1).build());
    world.run(() -> {
      Lease idle = pool.acquire(A, PATIENT);
      idle.release(true);
      Connector working = connector;
      connector = (route, exchange, done) -> {
        throw new IOException("no route to host");
      };
      assertThrows(IOException.class, () -> acquireAnew(pool));
      assertFalse(idle.connection().isOpen());
      assertEquals(0, pool.snapshot().open());
      connector = working;
      pool.acquire(B, PATIENT).release(true);
    });
  }

  @Test
  void routesShareNoConnections() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease a = pool.acquire(A, PATIENT);
      a.release(true);
      assertNotSame(a.connection(), pool.acquire(B, PATIENT).connection());
    });
  }

  @Test
  void aConnectionThatIsNotReusableIsClosedAndItsPlaceFree() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease lease = pool.acquire(A, PATIENT);
      lease.release(false);
      assertFalse(lease.connection().isOpen());
      assertEquals(0, pool.snapshot().open());
    });
  }

  @Test
  void aLeaseIsReleasedOnceHoweverOftenItIsGivenBack() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease lease = pool.acquire(A, PATIENT);
      lease.release(true);
      lease.release(false);
      lease.release(true);
      assertTrue(lease.connection().isOpen());
      assertEquals(1, pool.snapshot().route(A).idle());
    });
  }

  @Test
  void callsBeyondTheLimitWaitAndAreServedInTheOrderTheyCame() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).build());
    world.run(() -> {
      Lease holder = pool.acquire(A, PATIENT);
      List<CompletableFuture<Lease>> waiting = new ArrayList<>();
      for (int i = 1; i <= 5; i++) {
        waiting.add(acquireLater(pool, A));
        awaitPending(pool, A, i);
      }
      Lease holding = holder;
      for (int i = 0; i < 5; i++) {
        holding.release(true);
        awaitPending(pool, A, 4 - i);
        holding = waiting.get(i).get();
        assertEquals(4 - i, waiting.stream().filter(w -> !w.isDone()).count());
      }
      assertEquals(1, opened.size());
    });
  }

  @Test
  void theQueueIsBoundedAndSaysWhatThePoolHolds() throws Exception {
    ConnectionPool pool =
        pool(PoolLimits.builder().maxPerRoute(1).maxQueuedPerRoute(1).build());
    world.run(() -> {
      pool.acquire(A, PATIENT);
      CompletableFuture<Lease> queued = acquireLater(pool, A);
      awaitPending(pool, A, 1);
      PoolQueueFullException e =
          assertThrows(PoolQueueFullException.class, () -> pool.acquire(A, PATIENT));
      PoolSnapshot.RouteSnapshot route = e.pool().route(A);
      assertEquals(1, route.open());
      assertEquals(0, route.idle());
      assertEquals(1, route.pending());
      assertEquals(1, route.inFlight());
      assertTrue(e.getMessage().contains("maxPerRoute, now 1"), e.getMessage());
      assertFalse(queued.isDone(), "the refusal took the other's place");
    });
  }

  @Test
  void waitingEndsAfterTheAcquireTimeout() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder()
        .maxPerRoute(1)
        .acquireTimeout(Duration.ofSeconds(10))
        .build());
    world.run(() -> {
      pool.acquire(A, PATIENT);
      long start = world.clock().nanoTime();
      AcquireTimeoutException e =
          assertThrows(AcquireTimeoutException.class, () -> pool.acquire(A, PATIENT));
      long waited = world.clock().nanoTime() - start;
      assertTrue(waited >= Duration.ofSeconds(10).toNanos(), "waited " + waited);
      assertEquals(1, e.pool().route(A).inUse());
      assertEquals(0, pool.snapshot().route(A).pending());
    });
  }

  @Test
  void waitingEndsAtTheDeadlineOfTheCall() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).build());
    world.run(() -> {
      pool.acquire(A, PATIENT);
      FakeExchange hasty = new FakeExchange(world.after(Duration.ofSeconds(1)));
      assertThrows(DeadlineExceededException.class, () -> pool.acquire(A, hasty));
      assertEquals(0, pool.snapshot().route(A).pending());
    });
  }

  @Test
  void anInterruptedCallLeavesTheQueueAtOnce() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).build());
    world.run(() -> {
      pool.acquire(A, PATIENT);
      CompletableFuture<Lease> lease = new CompletableFuture<>();
      Thread waiter =
          world.threadFactory().newThread(() -> complete(lease, () -> pool.acquire(A, PATIENT)));
      waiter.start();
      awaitPending(pool, A, 1);
      waiter.interrupt();
      // It leaves the queue before its caller gets the failure.
      ExecutionException told = assertThrows(ExecutionException.class, lease::get);
      assertInstanceOf(InterruptedIOException.class, told.getCause());
      assertEquals(0, pool.snapshot().route(A).pending());
    });
  }

  @Test
  void aConnectionThatIsGrantedTogetherWithAnInterruptGoesToTheNext() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).build());
    world.run(() -> {
      Lease holder = pool.acquire(A, PATIENT);
      CompletableFuture<Lease> interrupted = new CompletableFuture<>();
      Thread waiter = world
          .threadFactory()
          .newThread(() -> complete(interrupted, () -> pool.acquire(A, PATIENT)));
      waiter.start();
      awaitPending(pool, A, 1);
      CompletableFuture<Lease> next = acquireLater(pool, A);
      awaitPending(pool, A, 2);
      waiter.interrupt();
      holder.release(true);
      awaitPending(pool, A, 0);
      world.sleep(Duration.ofMillis(1));
      assertTrue(interrupted.exceptionNow() instanceof InterruptedIOException);
      assertSame(holder.connection(), next.get().connection());
    });
  }

  @Test
  void aPlaceWhoseConnectionCouldNotBeOpenedGoesToTheNext() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).build());
    world.run(() -> {
      connector = (route, exchange, onClosed) -> {
        awaitPending(pool, A, 1);
        connector = (r, x, closed) -> open(closed);
        throw new IOException("refused");
      };
      CompletableFuture<Lease> failing = acquireLater(pool, A);
      while (pool.snapshot().open() == 0) {
        world.sleep(Duration.ofMillis(1));
      }
      assertEquals(A, pool.snapshot().routes().getFirst().route());
      Lease second = pool.acquire(A, PATIENT);
      assertTrue(second.connection().isOpen());
      while (!failing.isDone()) {
        world.sleep(Duration.ofMillis(1));
      }
      assertTrue(failing.isCompletedExceptionally());
    });
  }

  @Test
  void whenTheTotalIsReachedTheLongestIdleConnectionMakesRoom() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxTotal(2).build());
    world.run(() -> {
      Lease oldest = pool.acquire(A, PATIENT);
      Lease newer = pool.acquire(A, PATIENT);
      oldest.release(true);
      world.sleep(Duration.ofSeconds(1));
      newer.release(true);
      pool.acquire(B, PATIENT);
      assertFalse(oldest.connection().isOpen());
      assertTrue(newer.connection().isOpen());
      assertEquals(2, pool.snapshot().open());
    });
  }

  private static ConnectionListener givesBackWhenClosed(Lease lease) {
    return new ConnectionListener() {
      @Override
      public void closed() {
        lease.release(true);
      }

      @Override
      public void capacityChanged() {}
    };
  }

  @Test
  void aPlaceThatWasMadeForACallWhichThenFindsAConnectionIsFree() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(2).maxTotal(2).build());
    world.run(() -> {
      Lease busy = pool.acquire(A, PATIENT);
      // What the other route has idle closes to make room, and just then the first is given back.
      connector = (route, exchange, listener) -> new FakeConnection(givesBackWhenClosed(busy));
      pool.acquire(B, PATIENT).release(true);
      assertSame(busy.connection(), pool.acquire(A, PATIENT).connection());
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void aCallThatTheTotalHoldsBackGetsThePlaceThatAnotherRouteGivesUp() throws Exception {
    for (boolean reusable : new boolean[] {true, false}) {
      ConnectionPool pool = pool(PoolLimits.builder().maxTotal(1).build());
      world.run(() -> {
        Lease a = pool.acquire(A, PATIENT);
        CompletableFuture<Lease> b = acquireLater(pool, B);
        awaitPending(pool, B, 1);
        a.release(reusable);
        awaitPending(pool, B, 0);
        assertTrue(b.get().connection().isOpen());
        assertFalse(a.connection().isOpen());
        assertEquals(1, pool.snapshot().open());
      });
    }
  }

  @Test
  void idleConnectionsExpireAndBusyOnesDoNot() throws Exception {
    ConnectionPool pool =
        pool(PoolLimits.builder().idleTimeout(Duration.ofSeconds(5)).build());
    world.run(() -> {
      Lease idle = pool.acquire(A, PATIENT);
      Lease busy = pool.acquire(A, PATIENT);
      Lease later = pool.acquire(A, PATIENT);
      idle.release(true);
      world.sleep(Duration.ofSeconds(3));
      later.release(true);
      world.sleep(Duration.ofSeconds(3));
      assertFalse(idle.connection().isOpen());
      assertTrue(later.connection().isOpen());
      world.sleep(Duration.ofSeconds(3));
      assertFalse(later.connection().isOpen());
      assertTrue(busy.connection().isOpen());
      assertEquals(1, pool.snapshot().open());
    });
  }

  @Test
  void anIdleTimeoutLongerThanTheClockCanCountKeepsConnections() throws Exception {
    ConnectionPool pool = pool(
        PoolLimits.builder().idleTimeout(Duration.ofSeconds(Long.MAX_VALUE)).build());
    world.run(() -> {
      Lease lease = pool.acquire(A, PATIENT);
      lease.release(true);
      world.sleep(Duration.ofDays(10_000));
      assertTrue(lease.connection().isOpen());
    });
  }

  @Test
  void anIdleConnectionThatItsPeerClosedIsForgotten() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease lease = pool.acquire(A, PATIENT);
      lease.release(true);
      lease.connection().close();
      assertEquals(0, pool.snapshot().open());
      assertNotSame(lease.connection(), pool.acquire(A, PATIENT).connection());
    });
  }

  @Test
  void shutdownRefusesCallsThatWaitAndThoseThatCome() throws Exception {
    ConnectionPool pool = pool(PoolLimits.builder().maxPerRoute(1).build());
    world.run(() -> {
      Lease busy = pool.acquire(A, PATIENT);
      CompletableFuture<Lease> waiting = acquireLater(pool, A);
      awaitPending(pool, A, 1);
      pool.shutdown();
      while (!waiting.isDone()) {
        world.sleep(Duration.ofMillis(1));
      }
      assertTrue(waiting.exceptionNow() instanceof ClientClosedException);
      assertThrows(ClientClosedException.class, () -> pool.acquire(A, PATIENT));
      busy.release(true);
      assertFalse(busy.connection().isOpen());
      pool.awaitEmpty(world.after(Duration.ofSeconds(1)));
    });
  }

  @Test
  void abortClosesWhatIsInUseAndWhatIsBeingOpened() throws Exception {
    ConnectionPool pool = pool(PoolLimits.DEFAULTS);
    world.run(() -> {
      Lease busy = pool.acquire(A, PATIENT);
      connector = (route, exchange, onClosed) -> {
        world.sleep(Duration.ofSeconds(5));
        return open(onClosed);
      };
      CompletableFuture<Lease> opening = acquireLater(pool, B);
      while (pool.snapshot().open() < 2) {
        world.sleep(Duration.ofMillis(1));
      }
      pool.shutdown();
      pool.abort();
      assertFalse(busy.connection().isOpen());
      while (!opening.isDone()) {
        world.sleep(Duration.ofMillis(1));
      }
      assertTrue(opening.exceptionNow() instanceof ClientClosedException);
      assertTrue(opened.stream().noneMatch(Connection::isOpen));
    });
  }
}
