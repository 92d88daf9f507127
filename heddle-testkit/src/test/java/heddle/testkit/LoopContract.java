package heddle.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.EventLoop;
import heddle.transport.Network;
import heddle.transport.Timer;
import heddle.transport.time.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a loop and its timers promise. */
@Timeout(60)
abstract class LoopContract {
  private static final long MILLI = 1_000_000;

  @AutoClose
  private final Network network = newNetwork();

  private final EventLoop loop = network.loop();

  abstract Network newNetwork();

  private long in(long millis) {
    return loop.clock().nanoTime() + millis * MILLI;
  }

  @Test
  void tasksRunOnTheLoopInOrder() throws Exception {
    List<Integer> order = new ArrayList<>();
    CountDownLatch done = new CountDownLatch(1);
    for (int i = 0; i < 1_000; i++) {
      int number = i;
      loop.execute(() -> {
        assertTrue(loop.inLoop());
        order.add(number);
      });
    }
    loop.execute(done::countDown);
    assertTrue(done.await(20, TimeUnit.SECONDS));
    assertFalse(loop.inLoop());
    for (int i = 0; i < 1_000; i++) {
      assertEquals(i, order.get(i));
    }
  }

  @Test
  void timerFiresOnTheLoopAndNotBeforeItsTime() throws Exception {
    CompletableFuture<Long> fired = new CompletableFuture<>();
    CompletableFuture<Boolean> inLoop = new CompletableFuture<>();
    Timer timer = loop.newTimer(() -> {
      inLoop.complete(loop.inLoop());
      fired.complete(loop.clock().nanoTime());
    });
    long at = in(30);
    timer.arm(at);
    assertTrue(fired.get(20, TimeUnit.SECONDS) >= at);
    assertTrue(inLoop.get(20, TimeUnit.SECONDS));
  }

  @Test
  void armingAgainReplacesTheTime() throws Exception {
    AtomicInteger fires = new AtomicInteger();
    CompletableFuture<Long> fired = new CompletableFuture<>();
    Timer timer = loop.newTimer(() -> {
      fires.incrementAndGet();
      fired.complete(loop.clock().nanoTime());
    });
    timer.arm(in(3_600_000));
    timer.arm(in(10));
    assertTrue(fired.get(20, TimeUnit.SECONDS) > 0);
    CompletableFuture<Long> again = new CompletableFuture<>();
    Timer later = loop.newTimer(() -> again.complete(loop.clock().nanoTime()));
    later.arm(in(10));
    long at = in(60);
    later.arm(at);
    assertTrue(again.get(20, TimeUnit.SECONDS) >= at);
    assertEquals(1, fires.get());
  }

  @Test
  void timerOfThePastFiresSoon() throws Exception {
    CountDownLatch fired = new CountDownLatch(1);
    loop.newTimer(fired::countDown).arm(0);
    assertTrue(fired.await(20, TimeUnit.SECONDS));
  }

  @Test
  void timerCanBeArmedFromItsOwnTask() throws Exception {
    CountDownLatch fires = new CountDownLatch(3);
    Timer[] timer = new Timer[1];
    timer[0] = loop.newTimer(() -> {
      fires.countDown();
      timer[0].arm(in(1));
    });
    timer[0].arm(in(1));
    assertTrue(fires.await(20, TimeUnit.SECONDS));
    timer[0].cancel();
  }

  @Test
  void disarmedAndCancelledTimersDoNotFire() throws Exception {
    AtomicInteger fires = new AtomicInteger();
    long at = in(40);
    Timer disarmed = loop.newTimer(fires::incrementAndGet);
    disarmed.arm(at);
    disarmed.arm(Deadline.NEVER_NANOS);
    Timer cancelled = loop.newTimer(fires::incrementAndGet);
    cancelled.arm(at);
    cancelled.cancel();
    CountDownLatch later = new CountDownLatch(1);
    loop.newTimer(later::countDown).arm(at + 50 * MILLI);
    assertTrue(later.await(20, TimeUnit.SECONDS));
    assertEquals(0, fires.get());
  }

  @Test
  void disarmedTimerCanBeArmedAgain() throws Exception {
    CountDownLatch fired = new CountDownLatch(1);
    Timer timer = loop.newTimer(fired::countDown);
    timer.arm(in(3_600_000));
    timer.arm(Deadline.NEVER_NANOS);
    timer.arm(in(5));
    assertTrue(fired.await(20, TimeUnit.SECONDS));
  }

  @Test
  void unparkFromTheLoopWakesAThreadThatParks() throws Exception {
    CompletableFuture<Boolean> published = new CompletableFuture<>();
    CountDownLatch woken = new CountDownLatch(8);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      threads.add(Thread.ofVirtual().start(() -> {
        while (!published.isDone()) {
          LockSupport.park(this);
        }
        woken.countDown();
      }));
    }
    loop.execute(() -> {
      published.complete(true);
      threads.forEach(loop::unpark);
    });
    assertTrue(woken.await(20, TimeUnit.SECONDS));
  }

  @Test
  void unparkFromElsewhereWakesAtOnce() throws Exception {
    CompletableFuture<Boolean> published = new CompletableFuture<>();
    Thread waiter = Thread.ofVirtual().start(() -> {
      while (!published.isDone()) {
        LockSupport.park(this);
      }
    });
    published.complete(true);
    loop.unpark(waiter);
    assertTrue(waiter.join(java.time.Duration.ofSeconds(20)));
  }

  @Test
  void aTaskRunsAfterTheEnd() throws Exception {
    network.close();
    CountDownLatch ran = new CountDownLatch(1);
    loop.execute(ran::countDown);
    assertTrue(ran.await(20, TimeUnit.SECONDS), "the task was lost");
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aTaskAddedUnderALockAfterTheEndDoesNotWaitForATaskThatNeedsTheLock() throws Exception {
    network.close();
    ReentrantLock lock = new ReentrantLock();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch ran = new CountDownLatch(2);
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
    assertTrue(ran.await(20, TimeUnit.SECONDS), "a task was lost");
  }
}
