package heddle.adapters.support;

import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A time limit for an operation that usually ends within moments. A timer per operation would be
 * set and cleared each time, and would wake the timer thread each time. Instead, running limits are
 * registered, and one check for all of them runs when the earliest of them may expire. Started by
 * one thread at a time, ended by any.
 */
public final class TimeLimit {
  private static final Set<TimeLimit> RUNNING = ConcurrentHashMap.newKeySet();

  /** The next check; null if none is scheduled. */
  private static final AtomicReference<@Nullable Look> NEXT = new AtomicReference<>();

  /** About a hundred years. Longer limits would overflow when times are compared. */
  private static final long MOST_NANOS = Long.MAX_VALUE / 3;

  private final long nanos;
  private final Runnable late;
  private volatile boolean runs;

  /** By {@link System#nanoTime}; written before the limit is registered. */
  private volatile long endsAt;

  /**
   * A limit for an operation that has not begun.
   *
   * @param nanos at least 0
   * @param late runs when the time is over, on a shared thread, so it must not block
   */
  public TimeLimit(long nanos, Runnable late) {
    this.nanos = Math.min(nanos, MOST_NANOS);
    this.late = late;
  }

  /** Starts the limit. Does nothing while it runs. */
  public void begin() {
    if (!runs) {
      runs = true;
      long end = System.nanoTime() + nanos;
      endsAt = end;
      RUNNING.add(this);
      lookAt(end);
    }
  }

  /** Stops the limit, which may be started again. Does nothing if it is not running. */
  public void end() {
    if (runs) {
      runs = false;
      RUNNING.remove(this);
    }
  }

  /** Schedules a check for this time unless an earlier one is scheduled. */
  private static void lookAt(long time) {
    while (true) {
      Look next = NEXT.get();
      if (next != null && next.time - time <= 0) {
        return; // It checks all registered limits and schedules the next check.
      }
      Look sooner = new Look(time);
      if (NEXT.compareAndSet(next, sooner)) {
        long wait = Math.max(0, time - System.nanoTime());
        CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS).execute(sooner);
        return;
      }
    }
  }

  /** Ends the limits that have expired, and schedules a check for the next one. */
  private static final class Look implements Runnable {
    private final long time;

    Look(long time) {
      this.time = time;
    }

    @Override
    public void run() {
      // An earlier check has replaced this one, and schedules all later ones.
      if (!NEXT.compareAndSet(this, null)) {
        return;
      }
      long now = System.nanoTime();
      TimeLimit first = null;
      for (TimeLimit each : RUNNING.toArray(TimeLimit[]::new)) {
        if (each.endsAt - now > 0) {
          first = first == null || each.endsAt - first.endsAt < 0 ? each : first;
        } else if (RUNNING.remove(each)) {
          each.late.run();
        }
      }
      if (first != null) {
        lookAt(first.endsAt);
      }
    }
  }
}
