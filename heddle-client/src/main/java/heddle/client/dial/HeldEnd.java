package heddle.client.dial;

import heddle.connection.Exchange;
import heddle.connection.MinimumRate;
import heddle.http.FailurePoint;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.transport.Deadline;
import java.io.IOException;

/**
 * An exchange that is perhaps not the last on its connection for its call: the call hears of its
 * end only once that is decided. Used by the thread of the call until then.
 */
final class HeldEnd implements Exchange {
  private final Exchange exchange;
  private boolean ended;
  private boolean reusable;
  private boolean reads;
  private long received;
  private volatile boolean released;

  HeldEnd(Exchange exchange) {
    this.exchange = exchange;
  }

  boolean hasEnded() {
    return ended;
  }

  /** Whether the exchange has ended, and its connection can carry another. */
  boolean isReusable() {
    return ended && reusable;
  }

  /** What the exchange has brought is not for the call. */
  void dropped() {
    reads = false;
    received = 0;
  }

  /** It is the last: its end is the call's, also where it has come already. */
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

  /** A body that is only dropped is not one that the call reads. */
  private boolean isHeld(Phase phase) {
    boolean held = !released && phase == Phase.READ_BODY;
    reads |= held;
    return held;
  }

  @Override
  public void enter(Phase phase, long now) {
    if (!isHeld(phase)) {
      exchange.enter(phase, now);
    }
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
