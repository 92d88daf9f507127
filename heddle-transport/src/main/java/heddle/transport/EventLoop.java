package heddle.transport;

import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/**
 * The one thread that reads a share of the channels, keeps their timers and wakes the threads that
 * wait. Never runs user code and never blocks but to wait for events.
 */
public interface EventLoop {
  /** How long after its time a thread that has {@linkplain #park parked} notices by itself. */
  long PARK_MARGIN_NANOS = 250_000_000;

  /** Runs a short task on the loop, in order of submission. From any thread. */
  void execute(Runnable task);

  /** Whether the calling thread is this loop. */
  boolean inLoop();

  /**
   * Makes a timer, not yet armed, that runs {@code onFire} on this loop. From any thread.
   *
   * @param onFire a short task; it may find that it was re-armed or disarmed a moment ago, so it
   *     checks the time itself if that matters
   */
  Timer newTimer(Runnable onFire);

  /**
   * Wakes a thread that has parked, after the caller has published what it waits for. On the loop
   * the wake-up may be held back to the end of the present pass, or until that has read much, since
   * waking threads together is far cheaper; elsewhere it is immediate.
   */
  void unpark(Thread thread);

  /**
   * Runs a task that starts a thread. When called on the loop, the task may run later in this pass
   * and on another thread, since starting threads together is cheaper; elsewhere it runs
   * immediately.
   *
   * @param start must not block
   */
  default void startThread(Runnable start) {
    start.run();
  }

  /**
   * Parks the calling thread until it is {@linkplain #unpark unparked} or interrupted. May return
   * for no reason, so the caller checks its condition again. As the last line of defence it also
   * returns some time after {@code untilNanos}: on a loop of TCP {@link #PARK_MARGIN_NANOS} later
   * or a little more, and about 60 s from now at the latest. A loop whose clock is not the
   * machine's relies on its timers alone.
   *
   * @param blocker shown in thread dumps
   * @param untilNanos a time on this loop's clock, {@link Deadline#NEVER_NANOS} for none
   */
  default void park(Object blocker, long untilNanos) {
    LockSupport.park(blocker);
  }

  Clock clock();

  /** Random numbers that need not be secret, for this thread only; a simulation's have a seed. */
  default RandomGenerator random() {
    return ThreadLocalRandom.current();
  }

  /** Spare memory for content on its way from this loop to its readers. */
  ChunkPool chunks();
}
