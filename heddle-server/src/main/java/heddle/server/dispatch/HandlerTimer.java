package heddle.server.dispatch;

import heddle.connection.InterruptScope;
import heddle.connection.ServerExchange;
import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.time.Duration;

/** Interrupts a handler that takes too long. Made and ended on the handler's thread. */
final class HandlerTimer {
  private final InterruptScope scope = new InterruptScope();
  private final Timer timer;
  private boolean ended;
  private boolean fired;

  /** Starts to count. */
  HandlerTimer(ServerExchange exchange, Duration timeout) {
    scope.enter();
    timer = exchange.channel().loop().newTimer(scope::interrupt);
    timer.arm(Deadline.after(timeout, exchange.channel().loop().clock()).nanos());
  }

  /** The handler may take as long as it likes from now on. From any thread. */
  void disarm() {
    timer.cancel();
  }

  /** Whether the handler has taken too long. */
  boolean hasFired() {
    return ended ? fired : scope.isInterrupted();
  }

  /** The handler is done, and is not interrupted any more. Returns whether it was. */
  boolean end() {
    if (!ended) {
      ended = true;
      timer.cancel();
      fired = scope.leave();
    }
    return fired;
  }
}
