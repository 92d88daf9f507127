package heddle.connection.request;

import heddle.connection.Exchange;
import heddle.connection.InterruptScope;
import heddle.http.Body;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Runs user code within a call. Code that does not return is interrupted when the call's deadline
 * passes or its result is no longer needed: only then, and never after this has returned. For one
 * thread at a time, except {@link #abort}.
 */
final class UserCode implements AutoCloseable {
  private final InterruptScope running = new InterruptScope();
  private final Exchange owner;
  private final EventLoop loop;
  private final @Nullable Timer timer;
  private volatile boolean aborted;

  UserCode(Exchange owner, EventLoop loop) {
    this.owner = owner;
    this.loop = loop;
    Deadline deadline = owner.deadline();
    this.timer = deadline.isNever() ? null : loop.newTimer(this::checkTime);
    if (timer != null) {
      timer.arm(deadline.nanos());
    }
  }

  /** The timer has fired: the deadline may have moved on since it was armed. */
  private void checkTime() {
    Deadline deadline = owner.deadline();
    if (deadline.isPast(loop.clock())) {
      running.interrupt();
    } else if (timer != null) {
      timer.arm(deadline.nanos());
    }
  }

  /**
   * Runs the code.
   *
   * @param what the code does, for the message of the exception
   * @throws RequestBodyReader.AbortedException after {@link #abort}, whatever the code does
   * @throws DeadlinePassedException when the call's deadline passes first, likewise
   * @throws IOException what the code throws
   */
  <T> T run(Body.IOSupplier<T> code, String what) throws IOException {
    try {
      if (!running.enter()) {
        throw new RequestBodyReader.AbortedException(); // or the deadline passed, see leave
      }
      return code.get();
    } finally {
      leave(what);
    }
  }

  private void leave(String what) throws IOException {
    if (running.leave()) {
      throw aborted
          ? new RequestBodyReader.AbortedException()
          : new DeadlinePassedException("the call's deadline passed while " + what);
    }
  }

  /** From any thread: interrupts the thread that runs code, and makes further runs fail. */
  void abort() {
    aborted = true;
    running.interrupt();
  }

  @Override
  public void close() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
