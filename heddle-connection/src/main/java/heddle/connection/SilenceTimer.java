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
public final class SilenceTimer {
  private final Clock clock;
  private final Timer timer;
  private volatile long dueNanos;

  public SilenceTimer(EventLoop loop, Runnable onDue) {
    this.clock = loop.clock();
    this.timer = loop.newTimer(() -> {
      if (clock.nanoTime() >= dueNanos) {
        onDue.run();
      }
    });
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
