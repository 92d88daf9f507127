package heddle.transport.tcp;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import heddle.transport.EventLoop;
import heddle.transport.SafeLog;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads that wait for a loop; wakes them if the loop does not wake them in time.
 * Parking each with a time limit costs a small request a third of its CPU time, for a timer that is
 * hardly ever needed. So one platform thread, the watch, wakes all of them.
 */
final class ParkedThreads implements Runnable {
  private static final System.Logger LOG = System.getLogger("heddle.transport");

  // How often the watch checks the threads, and how long a thread parks before it checks its
  // condition again, whatever its deadline.
  private static final long PERIOD_NANOS = MILLISECONDS.toNanos(50);
  private static final long LONGEST_PARK_NANOS = SECONDS.toNanos(60);

  /**
   * Who runs again this much later than it meant to was held up, by a suspended process, a long
   * collection or a lack of CPU time. So was the loop: it gets the margin once more to wake them.
   */
  private static final long HELD_UP_NANOS = MILLISECONDS.toNanos(100);

  /** For the threads without a deadline, which may be many and wait for hours. */
  private static final Long NEVER = Deadline.NEVER_NANOS;

  private static final int SLOT_BITS = 10;

  /** Multiplied with it, ids that follow one another lie far apart: 2^64 by the golden ratio. */
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private final Clock clock;
  private final Thread watch;

  /** Each holds a thread that is parked; a thread's slot follows from its id. */
  private final Slot[] slots = new Slot[1 << SLOT_BITS];

  /** Threads that found their slot taken, and until when they wait. */
  private final ConcurrentHashMap<Thread, Long> others = new ConcurrentHashMap<>();

  /** Set by the watch before it checks once more for parked threads and parks if there are none. */
  private volatile boolean idle;

  private volatile boolean ending;
  private long wakeAllNanos; // When all that are parked are next woken; the watch's own.

  ParkedThreads(String name, Clock clock) {
    this.clock = clock;
    watch = Thread.ofPlatform().daemon().name(name).unstarted(this);
    Arrays.setAll(slots, i -> new Slot());
  }

  void start() {
    watch.start();
  }

  /** The watch ends as soon as no thread is parked. */
  void end() {
    ending = true;
    LockSupport.unpark(watch);
  }

  /** Parks the calling platform thread, which keeps its time itself. */
  void parkPlatform(Object blocker, long untilNanos) {
    parkFor(blocker, parkNanos(untilNanos));
  }

  /** Parks the calling platform thread, and once more if it was held up. */
  private void parkFor(Object blocker, long nanos) {
    long due = clock.nanoTime() + nanos;
    LockSupport.parkNanos(blocker, nanos);
    if (clock.nanoTime() - due > HELD_UP_NANOS) {
      LockSupport.parkNanos(blocker, EventLoop.PARK_MARGIN_NANOS);
    }
  }

  /** How long a platform thread parks. */
  long parkNanos(long untilNanos) {
    long left = untilNanos == Deadline.NEVER_NANOS
        ? LONGEST_PARK_NANOS
        : Math.max(0, untilNanos - clock.nanoTime()) + EventLoop.PARK_MARGIN_NANOS;
    return Math.min(left, LONGEST_PARK_NANOS);
  }

  /**
   * A virtual thread is about to park, as {@link EventLoop#park} says. Does not park itself: the
   * frame would be in the heap of each thread that waits.
   *
   * @return to be given to {@link #leave}
   */
  @Nullable
  Slot enter(Thread current, long untilNanos) {
    Slot slot = slots[(int) (current.threadId() * SPREAD >>> Long.SIZE - SLOT_BITS)];
    boolean taken = !slot.compareAndSet(null, current);
    if (taken) {
      others.put(current, untilNanos == Deadline.NEVER_NANOS ? NEVER : (Long) untilNanos);
    } else {
      slot.untilNanos = untilNanos;
    }
    if (idle) {
      idle = false;
      LockSupport.unpark(watch);
    }
    return taken ? null : slot;
  }

  /** A thread that {@linkplain #enter entered} is no longer parked. */
  void leave(Thread current, @Nullable Slot slot) {
    if (slot == null) {
      others.remove(current);
    } else {
      slot.setRelease(null);
    }
  }

  @Override
  public void run() {
    wakeAllNanos = clock.nanoTime() + LONGEST_PARK_NANOS;
    while (!ending || isAnyParked()) {
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
    if (!ending && !isAnyParked()) {
      LockSupport.park(this);
      wakeAllNanos = clock.nanoTime() + LONGEST_PARK_NANOS;
    }
    idle = false;
    parkFor(this, PERIOD_NANOS);
  }

  private void wakeLate(long now) {
    boolean all = now - wakeAllNanos >= 0;
    if (all) {
      wakeAllNanos = now + LONGEST_PARK_NANOS;
    }
    for (Slot slot : slots) {
      Thread thread = slot.getAcquire();
      if (thread != null && (all || isLate(slot.untilNanos, now))) {
        LockSupport.unpark(thread);
      }
    }
    others.forEach((thread, until) -> {
      if (all || isLate(until, now)) {
        LockSupport.unpark(thread);
      }
    });
  }

  private boolean isAnyParked() {
    for (Slot slot : slots) {
      if (slot.get() != null) {
        return true;
      }
    }
    return !others.isEmpty();
  }

  private static boolean isLate(long until, long now) {
    return until != Deadline.NEVER_NANOS && now - until >= EventLoop.PARK_MARGIN_NANOS;
  }

  /** Holds a thread that is parked. */
  static final class Slot extends AtomicReference<@Nullable Thread> {
    private static final long serialVersionUID = 1;

    /** The watch may still see that of the previous thread, and wake this one early or late. */
    volatile long untilNanos;
  }
}
