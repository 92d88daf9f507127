package heddle.testkit;

import heddle.transport.Deadline;
import heddle.transport.Timer;
import org.jspecify.annotations.Nullable;

/** A timer of the simulated loop: at most one entry in the loop's queue at a time. */
final class SimTimer implements Timer {
  private final SimLoop loop;
  private final Runnable onFire;

  /** Guarded by the world's lock. */
  private SimLoop.@Nullable Entry entry;

  /** Guarded by the world's lock. */
  private boolean cancelled;

  SimTimer(SimLoop loop, Runnable onFire) {
    this.loop = loop;
    this.onFire = onFire;
  }

  @Override
  public void arm(long atNanos) {
    loop.locked(() -> {
      withdraw();
      if (!cancelled && atNanos != Deadline.NEVER_NANOS) {
        entry = loop.schedule(atNanos, onFire);
      }
    });
  }

  @Override
  public void disarm() {
    loop.locked(this::withdraw);
  }

  @Override
  public void cancel() {
    loop.locked(() -> {
      withdraw();
      cancelled = true;
    });
  }

  private void withdraw() {
    if (entry != null) {
      loop.withdraw(entry);
      entry = null;
    }
  }
}
