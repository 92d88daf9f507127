package heddle.transport.tcp;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.Timer;
import heddle.transport.time.Clock;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.SelectorProvider;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Timers that other threads arm while the loop sleeps. */
@Timeout(60)
class LoopTimerTest {
  private final SleepingSelector selector = new SleepingSelector();
  private final SelectorLoop loop;

  LoopTimerTest() throws IOException {
    loop = new SelectorLoop("timers", Clock.system(), () -> selector);
    loop.start();
  }

  @AfterEach
  void close() {
    loop.close();
  }

  @Test
  void timerForLaterThanTheNextDoesNotWakeTheLoop() throws Exception {
    sleepFor(60_000);
    int before = selector.wakeUps.get();
    Timer later = loop.newTimer(() -> {});
    later.arm(in(61_000));
    later.cancel();
    later.arm(in(62_000));
    assertEquals(before, selector.wakeUps.get());
  }

  @Test
  void timerForEarlierThanTheNextWakesTheLoop() throws Exception {
    sleepFor(60_000);
    loop.newTimer(() -> {}).arm(in(30_000));
    long millis = selector.sleeps.take();
    assertTrue(millis > 0 && millis <= 30_010, "it sleeps for " + millis + " ms");
  }

  @Test
  void timerThatDoesNotWakeTheLoopFiresInTime() throws Exception {
    sleepFor(100);
    CountDownLatch fired = new CountDownLatch(1);
    loop.newTimer(fired::countDown).arm(in(150));
    assertTrue(fired.await(20, SECONDS));
  }

  /** Each holds memory until the loop has seen it. */
  @Test
  void manyTimersAreNotLeftToALoopThatSleeps() throws Exception {
    sleepFor(60_000);
    int before = selector.wakeUps.get();
    for (int i = 0; i < 5_000; i++) {
      Timer timer = loop.newTimer(() -> {});
      timer.arm(in(61_000));
      timer.cancel();
    }
    int wakeUps = selector.wakeUps.get() - before;
    assertTrue(wakeUps > 0 && wakeUps < 100, wakeUps + " times");
  }

  /** Has the loop sleep for some time. */
  private void sleepFor(int millis) throws InterruptedException {
    selector.sleeps.take();
    loop.newTimer(() -> {}).arm(in(millis));
    selector.sleeps.take();
  }

  private long in(int millis) {
    return loop.clock().nanoTime() + MILLISECONDS.toNanos(millis);
  }

  /** Has no keys, and says for how long it is asked to wait for one. */
  private static final class SleepingSelector extends Selector {
    final BlockingQueue<Long> sleeps = new LinkedBlockingQueue<>();
    final AtomicInteger wakeUps = new AtomicInteger();
    private final Semaphore woken = new Semaphore(0);
    private final Set<SelectionKey> selected = new HashSet<>(); // Cleared before each select.
    private volatile boolean open = true;

    @Override
    public int select(long millis) throws IOException {
      sleeps.add(millis);
      try {
        boolean unused =
            woken.tryAcquire(millis == 0 ? SECONDS.toMillis(600) : millis, MILLISECONDS);
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      return selectNow();
    }

    @Override
    public int select() throws IOException {
      return select(0);
    }

    @Override
    public int selectNow() {
      woken.drainPermits();
      return 0;
    }

    @Override
    public Selector wakeup() {
      wakeUps.incrementAndGet();
      woken.release();
      return this;
    }

    @Override
    public boolean isOpen() {
      return open;
    }

    @Override
    public SelectorProvider provider() {
      return SelectorProvider.provider();
    }

    @Override
    public Set<SelectionKey> keys() {
      return Set.of();
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
      return selected;
    }

    @Override
    public void close() {
      open = false;
    }
  }
}
