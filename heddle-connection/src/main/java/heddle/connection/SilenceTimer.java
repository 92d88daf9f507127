package heddle.connection;

import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.time.Duration;

/**
 * A connection's one timer. One thread at a time arms it; a firing that was under way when it was
 * armed again is ignored.
 */
public final class SilenceTimer implements Runnable {
  private final Clock clock;
  private final Timer timer;
  private final Runnable onDue;
  private volatile long dueNanos;

  public SilenceTimer(EventLoop loop, Runnable onDue) {
    this.clock = loop.clock();
    this.onDue = onDue;
    this.timer = loop.newTimer(this); // Each connection has one: a lambda would cost more.
  }

  /** Called by the loop's timer. */
  @Override
  public void run() {
    if (clock.nanoTime() >= dueNanos) {
      onDue.run();
    }
  }

  /** Fires once after this time unless armed again before. */
  public void arm(Duration fromNow) {
    armAt(clock.nanoTime() + Deadline.boundedNanos(fromNow));
  }

  /** Fires once at this time unless armed again before. */
  public void armAt(long due) {
    dueNanos = due;
    timer.arm(due);
  }

  /** When it fires, as it was armed last; from any thread. */
  public long dueNanos() {
    return dueNanos;
  }

  public void cancel() {
    timer.cancel();
  }
}
