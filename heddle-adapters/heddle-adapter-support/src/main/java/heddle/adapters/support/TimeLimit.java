package heddle.adapters.support;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * How long something may take that is over in a moment as a rule. A timer for each would be set and
 * cleared every time, and every time wake the thread that keeps the time: here what has begun is
 * noted, and one look for all of them follows when the first that was noted may be late. Begun by
 * one thread at a time, ended by any.
 */
public final class TimeLimit {
  private static final Set<TimeLimit> RUNNING = ConcurrentHashMap.newKeySet();

  /** The next look; null where nobody is going to look. */
  private static final AtomicReference<@Nullable Look> NEXT = new AtomicReference<>();

  /** Some hundred years, beyond which the clock could not tell before from after. */
  private static final long MOST_NANOS = Long.MAX_VALUE / 3;

  private final long nanos;
  private final Runnable late;
  private volatile boolean runs;

  /** On the clock of {@link System#nanoTime}; written before the limit is noted. */
  private volatile long endsAt;

  /**
   * A limit for something that has not begun.
   *
   * @param nanos at least 0
   * @param late what is done once the time is over, on a thread that serves others: it must not
   *     wait for anything
   */
  public TimeLimit(long nanos, Runnable late) {
    this.nanos = Math.min(nanos, MOST_NANOS);
    this.late = late;
  }

  /** It begins. Does nothing while it runs. */
  public void begin() {
    if (!runs) {
      runs = true;
      long end = System.nanoTime() + nanos;
      endsAt = end;
      RUNNING.add(this);
      lookAt(end);
    }
  }

  /** It is over, and may begin again. Does nothing while it does not run. */
  public void end() {
    if (runs) {
      runs = false;
      RUNNING.remove(this);
    }
  }

  /** Sees to it that somebody looks by then. */
  private static void lookAt(long time) {
    while (true) {
      Look next = NEXT.get();
      if (next != null && next.time - time <= 0) {
        return; // It finds all that were noted before, and sees to the look after it.
      }
      Look sooner = new Look(time);
      if (NEXT.compareAndSet(next, sooner)) {
        long wait = Math.max(0, time - System.nanoTime());
        var _ = ForkJoinPool.commonPool().schedule(sooner, wait, TimeUnit.NANOSECONDS);
        return;
      }
    }
  }

  /** Ends those that are late, and sees to it that somebody looks when the next may be. */
  private static final class Look implements Runnable {
    private final long time;

    Look(long time) {
      this.time = time;
    }

    @Override
    public void run() {
      // One that was to come sooner took the place of this one, and has seen to all after it.
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
