package heddle.transport;

import heddle.transport.time.Deadline;
import java.io.InterruptedIOException;
import java.util.function.BooleanSupplier;

/** How a thread waits for something that a loop or another thread brings about. */
public final class Waiting {
  private Waiting() {}

  /**
   * Parks the calling thread until {@code done} holds. The thread that makes it hold must unpark
   * the waiting one afterwards. The deadline is kept by a timer of the loop, so by its clock; if it
   * does not fire, the thread {@linkplain EventLoop#park notices by itself} soon after.
   *
   * @param done reads what another thread publishes; cheap, free of side effects
   * @param what what is waited for, for the exception's message
   * @throws DeadlinePassedException when the deadline passes first
   * @throws InterruptedIOException when the thread is interrupted; its flag is set again
   */
  public static void until(BooleanSupplier done, EventLoop loop, Deadline deadline, String what)
      throws DeadlinePassedException, InterruptedIOException {
    Timer timer = null;
    try {
      while (!done.getAsBoolean()) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted while " + what);
        }
        if (deadline.isPast(loop.clock())) {
          throw new DeadlinePassedException("deadline passed while " + what);
        }
        // Arming may wait for a lock, and so use up a wake-up that comes meanwhile: then it looks
        // again before it parks.
        if (timer == null && !deadline.isNever()) {
          Thread waiter = Thread.currentThread();
          timer = loop.newTimer(() -> loop.unpark(waiter));
          timer.arm(deadline.nanos());
        } else {
          loop.park(loop, deadline.nanos());
        }
      }
    } finally {
      if (timer != null) {
        timer.cancel();
      }
    }
  }
}
