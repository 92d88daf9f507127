package heddle.server;

import heddle.http.Request;
import heddle.http.Response;
import heddle.server.spi.Handler;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** A handler that ignores interrupts and answers 200 after {@link #end}. */
final class UntilAllowed implements Handler {
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @Override
  public Response handle(Request request) {
    peak.accumulateAndGet(running.incrementAndGet(), Math::max);
    while (mayEnd.getCount() > 0) {
      Thread.interrupted();
      LockSupport.parkNanos(1_000_000);
    }
    running.decrementAndGet();
    return Response.ok("");
  }

  int running() {
    return running.get();
  }

  /** The most that have run at once. */
  int peak() {
    return peak.get();
  }

  /** Lets all end, those that have not begun too. */
  void end() {
    mayEnd.countDown();
  }
}
