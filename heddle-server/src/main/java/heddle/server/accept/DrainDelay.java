package heddle.server.accept;

import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The time for which a server that is to close still accepts connections, so that load balancers
 * learn of it first. Safe for use by many threads.
 */
public final class DrainDelay {
  private final Duration length;

  /** When it ends; null until it has begun. */
  private final AtomicReference<@Nullable Deadline> end = new AtomicReference<>();

  /** A delay that has not begun. */
  public DrainDelay(Duration length) {
    this.length = length;
  }

  /** Begins the delay; nothing happens if it has begun. */
  public void begin(EventLoop loop) {
    if (end.get() == null) {
      end.compareAndSet(null, Deadline.after(length, loop.clock()));
    }
  }

  /** Whether it has begun; it may have ended too. */
  public boolean isBegun() {
    return end.get() != null;
  }

  /**
   * Waits for the end of a delay that has begun. An interrupt of the calling thread ends the wait;
   * its flag is set again.
   */
  public void await(EventLoop loop) {
    Deadline until = end.get();
    if (until == null || until.isPast(loop.clock())) {
      return;
    }
    try {
      Waiting.until(() -> false, loop, until, "waiting for the delay of a drain to end");
    } catch (DeadlinePassedException | InterruptedIOException e) {
      return; // The delay is over, or is to be cut short.
    }
  }
}
