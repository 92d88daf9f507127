package heddle.client.pool;

import heddle.client.settings.PoolLimits;
import heddle.client.spi.PoolSnapshot;
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
import heddle.testkit.ManualLoop;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;

/** A pool of one connection, which leads nowhere. */
final class StressedPool {
  private final Route route = new Route(Origin.http("orders.example.com", 80));
  private final Exchange exchange = new Patient(route.origin());
  private final ConnectionPool pool = new ConnectionPool(
      PoolLimits.builder().maxPerRoute(1).build(),
      (where, asking, onClosed) -> new Unconnected(),
      new ManualLoop());

  Lease acquire() {
    try {
      return pool.acquire(route, exchange);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  PoolSnapshot.RouteSnapshot snapshot() {
    return pool.snapshot().route(route);
  }

  /** Leads nowhere, and is open all the time. */
  static final class Unconnected implements Connection {
    @Override
    public Response send(Request request, Exchange owner) throws IOException {
      throw new IOException("this connection leads nowhere");
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
      // There is nothing behind it.
    }
  }

  /** A call without a deadline that ignores all events. */
  record Patient(Origin origin) implements Exchange {
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
      // The phase is not used.
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
      // The test itself releases the lease.
    }
  }
}
