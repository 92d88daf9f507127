package heddle.transport.tcp;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import heddle.transport.Clock;
import heddle.transport.Deadline;
import heddle.transport.EventLoop;
import heddle.transport.SafeLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/**
 * The virtual threads that wait for a loop, woken here should the loop not wake them in time. A
 * virtual thread that parks with a time limit of its own costs a small request a third of its CPU
 * time, for a timer that is hardly ever needed; so one thread looks after all of them.
 */
final class ParkedThreads implements Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.transport");

  /** How often the threads are looked at. */
  private static final long PERIOD_NANOS = MILLISECONDS.toNanos(50);

  /** How long a thread parks before it looks again what it waits for, whatever its deadline. */
  private static final long LONGEST_PARK_NANOS = SECONDS.toNanos(60);

  private final Clock clock;
  private final Thread watch;

  /** When each thread is to be woken: its deadline and the margin. */
  private final ConcurrentHashMap<Thread, Long> parked = new ConcurrentHashMap<>();

  /** Set by the watch before it looks for the last time whether nobody is parked, and parks. */
  private volatile boolean idle;

  private volatile boolean ending;

  /** When all that are parked are next woken; the watch's own. */
  private long wakeAllNanos;

  ParkedThreads(String name, Clock clock) {
    this.clock = clock;
    watch = Thread.ofPlatform().daemon().name(name).unstarted(this);
  }

  void start() {
    watch.start();
  }

  /** The watch ends as soon as nobody is parked. */
  void end() {
    ending = true;
    LockSupport.unpark(watch);
  }

  /** As {@link EventLoop#park}. */
  void park(Object blocker, long untilNanos) {
    Thread current = Thread.currentThread();
    if (!current.isVirtual()) {
      long left = untilNanos == Deadline.NEVER_NANOS
          ? LONGEST_PARK_NANOS
          : Math.max(0, untilNanos - clock.nanoTime()) + EventLoop.PARK_MARGIN_NANOS;
      LockSupport.parkNanos(blocker, Math.min(left, LONGEST_PARK_NANOS));
      return;
    }
    parked.put(current, untilNanos);
    if (idle) {
      idle = false;
      LockSupport.unpark(watch);
    }
    LockSupport.park(blocker);
    parked.remove(current);
  }

  @Override
  public void run() {
    wakeAllNanos = clock.nanoTime() + LONGEST_PARK_NANOS;
    while (!ending || !parked.isEmpty()) {
      try {
        await();
        wakeLate(clock.nanoTime());
      } catch (RuntimeException | Error e) {
        SafeLog.log(LOG, Level.ERROR, "Threads that wait too long could not be woken: ", watch, e);
      }
    }
  }

  private void await() {
    idle = true;
    if (parked.isEmpty() && !ending) {
      LockSupport.park(this);
      wakeAllNanos = clock.nanoTime() + LONGEST_PARK_NANOS;
    }
    idle = false;
    LockSupport.parkNanos(this, PERIOD_NANOS);
  }

  private void wakeLate(long now) {
    boolean all = now - wakeAllNanos >= 0;
    if (all) {
      wakeAllNanos = now + LONGEST_PARK_NANOS;
    }
    parked.forEach((thread, until) -> {
      if (all || until != Deadline.NEVER_NANOS && now - until >= EventLoop.PARK_MARGIN_NANOS) {
        LockSupport.unpark(thread);
      }
    });
  }
}
