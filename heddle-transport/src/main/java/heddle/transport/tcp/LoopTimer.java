package heddle.transport.tcp;

import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A timer that stays in the wheel while its time moves on: arming it for later is one volatile
 * write, and the loop puts it in again when the old time comes. Only an earlier time needs the loop
 * at once.
 *
 * <p>No wake-up is lost: the thread that arms the timer writes {@code due} and then reads {@code
 * scheduled}; the loop does it the other way round, so at least one sees the other's write.
 */
final class LoopTimer implements Timer {
  static final int NOT_IN_WHEEL = -1;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Not a VarHandle, whose first use needs memory: without any, a due timer would be lost. */
  private static final AtomicLongFieldUpdater<LoopTimer> DUE =
      AtomicLongFieldUpdater.newUpdater(LoopTimer.class, "due");

  private final SelectorLoop loop;
  private final Runnable onFire;

  /** When to fire, written by the threads that arm it, and by the loop when it fires. */
  private volatile long due = Deadline.NEVER_NANOS;

  /** For when it is in the wheel, written by the loop only. */
  volatile long scheduled = Deadline.NEVER_NANOS;

  // Used by the wheel, on the loop only.
  @Nullable
  LoopTimer next;

  @Nullable
  LoopTimer previous;

  int slot = NOT_IN_WHEEL;

  LoopTimer(SelectorLoop loop, Runnable onFire) {
    this.loop = loop;
    this.onFire = onFire;
  }

  @Override
  public void arm(long atNanos) {
    due = atNanos;
    if (atNanos < scheduled) {
      loop.execute(this::reschedule, atNanos);
    }
  }

  @Override
  public long dueNanos() {
    return due;
  }

  @Override
  public void cancel() {
    due = Deadline.NEVER_NANOS;
    if (scheduled != Deadline.NEVER_NANOS) {
      loop.execute(this::unschedule, Deadline.NEVER_NANOS);
    }
  }

  private void reschedule() {
    long at = due;
    if (at < scheduled) {
      if (slot != NOT_IN_WHEEL) {
        loop.wheel().remove(this);
      }
      loop.wheel().insert(this, at);
    }
  }

  private void unschedule() {
    if (due == Deadline.NEVER_NANOS && slot != NOT_IN_WHEEL) {
      loop.wheel().remove(this);
      scheduled = Deadline.NEVER_NANOS;
    }
  }

  /** The wheel has taken it out, on the loop. */
  void expired(long now) {
    scheduled = Deadline.NEVER_NANOS;
    long at = due;
    if (at <= now && DUE.compareAndSet(this, at, Deadline.NEVER_NANOS)) {
      fire(now);
    } else {
      reschedule();
    }
  }

  /** Tries again if memory or stack ran out: a connection whose time is over has to be closed. */
  private void fire(long now) {
    try {
      onFire.run();
    } catch (RuntimeException | Error e) {
      // Before it is reported, which may fail too.
      if (e instanceof VirtualMachineError
          && DUE.compareAndSet(this, Deadline.NEVER_NANOS, now + RETRY_NANOS)) {
        reschedule();
      }
      loop.taskFailed(e);
    }
  }
}
