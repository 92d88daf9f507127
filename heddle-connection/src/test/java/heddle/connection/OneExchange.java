package heddle.connection;

import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.transport.time.Deadline;
import java.time.Duration;

/** An exchange without limits, which remembers what its connection tells it. */
public class OneExchange implements Exchange {
  private final Request request;
  private volatile Phase phase = Phase.QUEUE;
  private volatile Sent sent = Sent.NO;

  /** The exchange of this request. */
  public OneExchange(Request request) {
    this.request = request;
  }

  /** The request it is about. */
  public Request request() {
    return request;
  }

  /** What the connection has told last. */
  public Sent sent() {
    return sent;
  }

  @Override
  public Deadline deadline() {
    return Deadline.never();
  }

  @Override
  public long maxSilenceNanos() {
    return Deadline.NEVER_NANOS;
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
    return new FailurePoint(request.method(), request.origin(), phase, sent, Duration.ZERO);
  }

  @Override
  public void ended(boolean reusable) {}
}
