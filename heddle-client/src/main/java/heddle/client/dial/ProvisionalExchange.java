package heddle.client.dial;

import heddle.connection.Exchange;
import heddle.connection.MinimumRate;
import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.transport.time.Deadline;
import java.io.IOException;

/**
 * An exchange that its call may have to repeat on the same connection: the end is reported to the
 * call only once it is certain that this exchange was the last. Used by the thread of the call
 * until then.
 */
final class ProvisionalExchange implements Exchange {
  private final Exchange exchange;
  private boolean ended;
  private boolean reusable;
  private boolean reads;
  private long received;
  private volatile boolean released;

  ProvisionalExchange(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Whether the exchange has ended, and its connection can carry another. */
  boolean isReusable() {
    return ended && reusable;
  }

  /** Discards what was received: the call does not get it. */
  void discardReceived() {
    reads = false;
    received = 0;
  }

  /** This exchange is the last: reports its end to the call, now if it has ended already. */
  void release() {
    released = true;
    if (reads) {
      exchange.enter(Phase.READ_BODY);
    }
    if (ended) {
      exchange.received(received);
      exchange.ended(reusable);
    }
  }

  @Override
  public void received(long bytes) {
    if (released) {
      exchange.received(bytes);
    } else {
      received = bytes;
    }
  }

  @Override
  public void ended(boolean canCarryAnother) {
    if (released) {
      exchange.ended(canCarryAnother);
    } else {
      ended = true;
      reusable = canCarryAnother;
    }
  }

  @Override
  public void failed(IOException failure) {
    if (released) {
      exchange.failed(failure);
    }
  }

  @Override
  public Deadline deadline() {
    return exchange.deadline();
  }

  @Override
  public void contentSent() {
    exchange.contentSent();
  }

  @Override
  public long maxSilenceNanos() {
    return exchange.maxSilenceNanos();
  }

  @Override
  public long maxSilenceNanos(boolean begun) {
    return exchange.maxSilenceNanos(begun);
  }

  @Override
  public MinimumRate minRate() {
    return exchange.minRate();
  }

  @Override
  public void enter(Phase phase) {
    if (!isHeld(phase)) {
      exchange.enter(phase);
    }
  }

  @Override
  public void enter(Phase phase, long now) {
    if (!isHeld(phase)) {
      exchange.enter(phase, now);
    }
  }

  /** A body that may still be dropped does not count as being read by the call. */
  private boolean isHeld(Phase phase) {
    boolean held = !released && phase == Phase.READ_BODY;
    reads |= held;
    return held;
  }

  @Override
  public void sent(Sent sent) {
    exchange.sent(sent);
  }

  @Override
  public long continueNanos() {
    return exchange.continueNanos();
  }

  @Override
  public void contentWithheld() {
    exchange.contentWithheld();
  }

  @Override
  public boolean keepsConnection(Status status) {
    return exchange.keepsConnection(status);
  }

  @Override
  public FailurePoint point() {
    return exchange.point();
  }

  @Override
  public IOException explain(Exception cause) {
    return exchange.explain(cause);
  }
}
