package heddle.client.call;

import heddle.client.pool.ConnectionPool;
import heddle.client.pool.Lease;
import heddle.client.route.Route;
import heddle.connection.Exchange;
import heddle.connection.Failures;
import heddle.http.FailurePoint;
import heddle.http.HttpVersion;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ClientClosedException;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ConnectionLostException;
import heddle.transport.Clock;
import heddle.transport.Deadline;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One call from start to end, on the caller's thread: lease a connection, exchange, and again where
 * the {@link RetryPolicy} lets it. Used by one thread; once the response has been handed over, by
 * whoever reads its body.
 */
public final class Call implements Exchange {
  private final Request request;
  private final ConnectionPool pool;
  private final Clock clock;
  private final long startedAt;
  private final Deadline deadline;
  private final long maxSilenceNanos;

  private Route route;
  private Phase phase = Phase.QUEUE;
  private Sent sent = Sent.NO;
  private @Nullable Lease lease;

  public Call(Request request, Route route, ConnectionPool pool, Timeouts timeouts, Clock clock) {
    this.request = request;
    this.route = route;
    this.pool = pool;
    this.clock = clock;
    this.startedAt = clock.nanoTime();
    Duration own = request.deadline();
    this.deadline = Deadline.after(own == null ? timeouts.call() : own, startedAt);
    this.maxSilenceNanos = Deadline.boundedNanos(timeouts.silence());
  }

  /**
   * Makes the call.
   *
   * @throws heddle.http.HttpException when it fails
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public Response execute() throws IOException {
    IOException earlier = null;
    RetryPolicy retries = null;
    while (true) {
      try {
        Lease acquired = acquire();
        return acquired.connection().send(request, this);
      } catch (IOException e) {
        if (earlier != null) {
          e.addSuppressed(earlier);
        }
        retries = retries == null ? new RetryPolicy(request) : retries;
        if (route.version() == null && retries.wantsHttp11(e)) {
          route = new Route(route.origin(), HttpVersion.HTTP_1_1);
        } else if (!retries.mayRepeat(isOnReusedConnection(), e)) {
          throw e;
        }
        earlier = e;
        sent = Sent.NO;
        lease = null;
      }
    }
  }

  private boolean isOnReusedConnection() {
    Lease held = lease;
    return held != null && held.isReused();
  }

  private Lease acquire() throws IOException {
    phase = Phase.QUEUE;
    try {
      Lease acquired = pool.acquire(route, this);
      lease = acquired;
      return acquired;
    } catch (IOException e) {
      throw explain(e);
    }
  }

  @Override
  public Deadline deadline() {
    return deadline;
  }

  @Override
  public long maxSilenceNanos() {
    return maxSilenceNanos;
  }

  @Override
  public void enter(Phase next) {
    phase = next;
  }

  @Override
  public void sent(Sent known) {
    sent = known;
  }

  @Override
  public FailurePoint point() {
    Duration elapsed = Duration.ofNanos(clock.nanoTime() - startedAt);
    return new FailurePoint(request.method(), request.origin(), phase, sent, elapsed);
  }

  @Override
  public IOException explain(Exception cause) {
    IOException failure = Failures.explain(cause, point());
    boolean lost =
        failure instanceof ConnectionLostException || failure instanceof ConnectFailedException;
    return lost && pool.isAborted()
        ? new ClientClosedException("the client was closed before the call ended", point(), cause)
        : failure;
  }

  @Override
  public void ended(boolean reusable) {
    Lease held = lease;
    if (held != null) {
      held.release(reusable);
    }
  }
}
