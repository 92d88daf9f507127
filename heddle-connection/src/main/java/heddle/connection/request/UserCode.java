package heddle.connection.request;

import heddle.connection.Exchange;
import heddle.connection.InterruptScope;
import heddle.http.Body;
import heddle.transport.DeadlinePassedException;
import heddle.transport.EventLoop;
import heddle.transport.Timer;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Runs code of the user's within a call. Code that does not return is interrupted when the call's
 * deadline passes or its result is of no use any more: then only, and never after this has
 * returned. For one thread at a time, but for {@link #abort}.
 */
final class UserCode implements AutoCloseable {
  private final InterruptScope running = new InterruptScope();
  private final @Nullable Timer timer;
  private volatile boolean aborted;

  /**
   * @param owner whose deadline it is
   * @param loop keeps the time
   */
  UserCode(Exchange owner, EventLoop loop) {
    this.timer = owner.deadline().isNever() ? null : loop.newTimer(running::interrupt);
    if (timer != null) {
      timer.arm(owner.deadline().nanos());
    }
  }

  /**
   * Runs it.
   *
   * @param what is done, for the message of the exception
   * @throws RequestBodyReader.AbortedException after {@link #abort}, whatever the code does
   * @throws DeadlinePassedException when the call's deadline passes first, likewise
   * @throws IOException what the code throws
   */
  <T> T run(Body.IOSupplier<T> code, String what) throws IOException {
    try {
      if (!running.enter()) {
        throw new RequestBodyReader.AbortedException(); // or the deadline: leaving tells
      }
      return code.get();
    } finally {
      leave(what);
    }
  }

  private void leave(String what) throws IOException {
    if (running.leave()) {
      if (aborted) {
        throw new RequestBodyReader.AbortedException();
      }
      throw new DeadlinePassedException("the call's deadline passed while " + what);
    }
  }

  /**
   * The result is of no use: who runs code is interrupted, and running fails from now on. From any
   * thread.
   */
  void abort() {
    aborted = true;
    running.interrupt();
  }

  /** Lets go of the deadline. */
  @Override
  public void close() {
    if (timer != null) {
      timer.cancel();
    }
  }
}
