package heddle.client.pool;

import heddle.connection.Exchange;
import heddle.http.FailurePoint;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.transport.time.Deadline;
import java.time.Duration;

/** A call that waits for a connection until its deadline. */
record FakeExchange(Deadline deadline) implements Exchange {
  @Override
  public long maxSilenceNanos() {
    return Deadline.NEVER_NANOS;
  }

  @Override
  public void enter(Phase phase) {}

  @Override
  public void sent(Sent sent) {}

  @Override
  public FailurePoint point() {
    return new FailurePoint(
        Method.GET, Origin.http("a.test", 80), Phase.QUEUE, Sent.NO, Duration.ZERO);
  }

  @Override
  public void ended(boolean reusable) {}
}
