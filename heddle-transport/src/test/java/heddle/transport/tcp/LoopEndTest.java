package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.EventLoop;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is given to a loop after its end is still done. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LoopEndTest {

  private static EventLoop ended() {
    TcpNetwork network = TcpNetwork.create();
    EventLoop loop = network.loop();
    network.close();
    return loop;
  }

  @Test
  void aTaskRunsAfterTheEnd() throws InterruptedException {
    var ran = new CountDownLatch(1);
    ended().execute(ran::countDown);
    assertTrue(ran.await(10, TimeUnit.SECONDS), "the task was lost");
  }

  @Test
  void aTaskAddedUnderALockDoesNotWaitForATaskThatNeedsTheLock() throws InterruptedException {
    EventLoop loop = ended();
    var lock = new ReentrantLock();
    var running = new CountDownLatch(1);
    var ran = new CountDownLatch(2);
    lock.lock();
    try {
      Thread.ofVirtual()
          .start(() -> loop.execute(() -> {
            running.countDown();
            lock.lock();
            try {
              ran.countDown();
            } finally {
              lock.unlock();
            }
          }));
      running.await();
      loop.execute(ran::countDown);
    } finally {
      lock.unlock();
    }
    assertTrue(ran.await(10, TimeUnit.SECONDS), "a task was lost");
  }
}
