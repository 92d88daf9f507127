package heddle.client.pool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot;
import heddle.client.spi.Route;
import heddle.http.Origin;
import heddle.testkit.SimNetwork;
import heddle.transport.ChunkPool;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Simulates running out of memory while a connection is leased, at each read of the clock. */
@Timeout(60)
class AcquireWithoutMemoryTest {
  private static final Route ROUTE = new Route(Origin.http("a.test", 80));
  private static final FakeExchange PATIENT = new FakeExchange(Deadline.never());

  @AutoClose
  private final SimNetwork world = SimNetwork.builder().virtualTime().build();

  private final AtomicInteger stepsLeft = new AtomicInteger();
  private final List<FakeConnection> opened = new ArrayList<>();
  private final ConnectionPool pool = new ConnectionPool(
      PoolLimits.builder().maxTotal(1).build(),
      (route, exchange, listener) -> {
        FakeConnection connection = new FakeConnection(listener);
        opened.add(connection);
        return connection;
      },
      new FailingLoop(world.loop(), stepsLeft));

  /** Throws from the call of {@link #clock} at which {@code stepsLeft} reaches 0. */
  private record FailingLoop(EventLoop loop, AtomicInteger stepsLeft) implements EventLoop {
    @Override
    public void execute(Runnable task) {
      loop.execute(task);
    }

    @Override
    public boolean inLoop() {
      return loop.inLoop();
    }

    @Override
    public Timer newTimer(Runnable onFire) {
      return loop.newTimer(onFire);
    }

    @Override
    public void unpark(Thread thread) {
      loop.unpark(thread);
    }

    @Override
    public Clock clock() {
      if (stepsLeft.decrementAndGet() == 0) {
        throw new OutOfMemoryError("injected");
      }
      return loop.clock();
    }

    @Override
    public ChunkPool chunks() {
      return loop.chunks();
    }
  }

  /** Leases and releases a connection; returns whether that failed at the given step. */
  private boolean runsOutAt(int step) throws IOException {
    stepsLeft.set(step);
    try {
      Lease lease = pool.acquire(ROUTE, PATIENT);
      stepsLeft.set(0);
      lease.release(false);
      return false;
    } catch (OutOfMemoryError e) {
      return true;
    }
  }

  @Test
  void noConnectionStaysInUseWhicheverStepHadNoMemory() throws Exception {
    world.run(() -> {
      int step = 1;
      while (runsOutAt(step)) {
        PoolSnapshot left = pool.snapshot();
        long open = opened.stream().filter(FakeConnection::isOpen).count();
        String where = "step " + step;
        assertEquals(open, left.open(), where);
        left.routes().forEach(route -> assertEquals(0, route.inFlight(), where));
        pool.closeIdle(0);
        step++;
      }
      // The call arrives, the connection is open, the lease is made.
      assertTrue(step > 3, "only " + (step - 1) + " steps were seen");
    });
  }
}
