package heddle.connection;

import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.time.Deadline;
import java.io.IOException;
import java.time.Duration;

/**
 * Ends the wait of a thread for its peer if the connection's timer, which does so for a call that
 * is out of time, does not fire, because something is wrong with the loop: {@link
 * EventLoop#PARK_MARGIN_NANOS} after the deadline, and after twice the silence that is allowed.
 */
@FunctionalInterface
public interface WaitLimit {
  /**
   * On the waiting thread, before it parks.
   *
   * @return when to call this again, {@link Deadline#NEVER_NANOS} for no limit
   * @throws IOException when the time is up
   */
  long check() throws IOException;

  /**
   * The limit of a client's exchange. Times are on the clock's scale.
   *
   * @param begun whether a byte of the response has arrived
   * @param heardAt when the peer was last heard, or the wait for it began
   */
  static long check(Exchange owner, boolean begun, long heardAt, long now) throws IOException {
    long deadline = owner.deadline().nanos();
    if (isPast(deadline, now)) {
      throw new DeadlinePassedException("the call's deadline passed");
    }
    long silentAt = silentAt(owner.maxSilenceNanos(begun), heardAt);
    if (isPast(silentAt, now)) {
      throw SilenceException.of(owner, begun);
    }
    return Math.min(deadline, silentAt);
  }

  /** The limit of a request's body at a server; {@code since} is when something last arrived. */
  static long check(Duration silence, long since, long now) throws IOException {
    long silentAt = silentAt(Deadline.boundedNanos(silence), since);
    if (isPast(silentAt, now)) {
      throw new DeadlinePassedException("nothing of the request's body came for " + silence);
    }
    return silentAt;
  }

  private static long silentAt(long silence, long since) {
    return silence >= Deadline.NEVER_NANOS / 4 ? Deadline.NEVER_NANOS : since + 2 * silence;
  }

  private static boolean isPast(long limit, long now) {
    return limit != Deadline.NEVER_NANOS && now - limit >= EventLoop.PARK_MARGIN_NANOS;
  }
}
