package heddle.server;

import heddle.http.Request;
import heddle.http.Response;
import heddle.server.spi.Handler;
import java.util.concurrent.CountDownLatch;

/** A handler that does not end before it is interrupted, and fails with that. */
final class UntilInterrupted implements Handler {
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch interrupted = new CountDownLatch(1);

  @Override
  public Response handle(Request request) throws InterruptedException {
    running.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
    return Response.ok("never");
  }

  /** As this one, but it answers when it is interrupted. */
  Handler thenAnswering(Response response) {
    return request -> {
      try {
        return handle(request);
      } catch (InterruptedException e) {
        return response;
      }
    };
  }

  /** Waits until it runs: a request that is cut before is never handed to it. */
  void awaitRunning() throws InterruptedException {
    running.await();
  }

  void awaitInterrupt() throws InterruptedException {
    interrupted.await();
  }

  boolean isInterrupted() {
    return interrupted.getCount() == 0;
  }
}
