package heddle.jmh;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Lease;
import heddle.client.settings.PoolLimits;
import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.Exchange;
import heddle.http.FailurePoint;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Leases an idle connection and returns it; with {@code -t} several threads do so at once, on one
 * route or each on its own.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PoolLease {
  private final TcpNetwork network = TcpNetwork.create();
  private final Route route = new Route(Origin.http("orders.example.com", 80));
  private final ConnectionPool pool = new ConnectionPool(
      PoolLimits.DEFAULTS, (where, exchange, onClosed) -> new Unconnected(), network.loop());
  private final Exchange exchange = new Patient(route.origin());

  @Benchmark
  public Lease acquireAndRelease() throws IOException {
    Lease lease = pool.acquire(route, exchange);
    lease.release(true);
    return lease;
  }

  /** The route of one thread. */
  @State(Scope.Thread)
  public static class OwnRoute {
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Route route =
        new Route(Origin.http("host" + MADE.incrementAndGet() + ".example.com", 80));
  }

  @Benchmark
  public Lease acquireAndReleaseOnOwnRoute(OwnRoute own) throws IOException {
    Lease lease = pool.acquire(own.route, exchange);
    lease.release(true);
    return lease;
  }

  @TearDown
  public void close() {
    pool.shutdown();
    network.close();
  }

  /** A connection without a peer that is always open. */
  private static final class Unconnected implements Connection {
    @Override
    public Response send(Request request, Exchange owner) throws IOException {
      throw new IOException("this connection has no peer");
    }

    @Override
    public int maxExchanges() {
      return 1;
    }

    @Override
    public boolean isMultiplexed() {
      return false;
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void close() {
      // There is nothing to close.
    }
  }

  /** A call that may wait for ever and ignores its callbacks. */
  private record Patient(Origin origin) implements Exchange {
    @Override
    public Deadline deadline() {
      return Deadline.never();
    }

    @Override
    public long maxSilenceNanos() {
      return Deadline.NEVER_NANOS;
    }

    @Override
    public void enter(Phase phase) {
      // Not used.
    }

    @Override
    public void sent(Sent sent) {
      // Nothing is sent.
    }

    @Override
    public FailurePoint point() {
      return new FailurePoint(Method.GET, origin, Phase.QUEUE, Sent.NO, Duration.ZERO);
    }

    @Override
    public void ended(boolean reusable) {
      // The benchmark itself releases the lease.
    }
  }
}
