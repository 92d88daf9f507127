package heddle.transport;

import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;

/**
 * A timer of an {@link EventLoop}, made once and armed many times. Arming and disarming cost little
 * more than a volatile write as long as the time moves forward, as deadlines do: the loop looks at
 * the new time when the old one comes. One thread at a time arms; the loop fires concurrently.
 */
public interface Timer {
  /**
   * Fires once, soon after the given time; replaces any time set before.
   *
   * @param atNanos on the scale of {@link Clock#nanoTime}; {@link Deadline#NEVER_NANOS} disarms
   */
  void arm(long atNanos);

  /**
   * When the timer fires, {@link Deadline#NEVER_NANOS} if it is not armed; it is not when it fires,
   * unless it was armed again meanwhile. From any thread; the answer may be outdated on return.
   */
  long dueNanos();

  /** Gives the timer up for good. The loop drops its reference on its next pass. */
  void cancel();
}
