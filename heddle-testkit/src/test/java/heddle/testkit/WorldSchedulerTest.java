package heddle.testkit;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class WorldSchedulerTest {
  /** The driver itself must not join the queue for the lock: only it can run who is first there. */
  @Test
  void aThreadThatWaitsForACallerOutsideOfTheWorldGoesOnAfterIt() throws Exception {
    assumeTrue(SimNetwork.canBeDeterministic(), "started without --add-opens");
    try (SimNetwork world = SimNetwork.builder().seed(1).deterministic().build()) {
      SimLoop loop = (SimLoop) world.loop();
      FutureTask<Void> call = new FutureTask<>(() -> {
        world.run(() -> loop.locked(() -> {}));
        return null;
      });
      loop.lock().lock();
      try {
        Thread.ofPlatform().daemon().start(call);
        awaitQueued(loop, 1, SECONDS.toNanos(20));
        // Time for the driver to do wrong.
        awaitQueued(loop, 2, MILLISECONDS.toNanos(100));
      } finally {
        loop.lock().unlock();
      }
      call.get(20, SECONDS);
    }
  }

  private static void awaitQueued(SimLoop loop, int threads, long mostNanos) {
    long begin = System.nanoTime();
    while (loop.lock().getQueueLength() < threads && System.nanoTime() - begin < mostNanos) {
      Thread.onSpinWait();
    }
  }
}
