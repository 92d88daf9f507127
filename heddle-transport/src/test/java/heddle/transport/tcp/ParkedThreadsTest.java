package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.EventLoop;
import heddle.transport.time.Clock;
import heddle.transport.time.Deadline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whether threads that nobody unparks are woken after their time, however many there are. */
@Timeout(60)
class ParkedThreadsTest {
  /** More than there are slots, so that some share theirs. */
  private static final int MANY = 1_500;

  private final Clock clock = Clock.system();
  private final ParkedThreads parked = new ParkedThreads("watch", clock);

  @BeforeEach
  void start() {
    parked.start();
  }

  @AfterEach
  void end() {
    parked.end();
  }

  @Test
  void eachOfManyThreadsIsWokenAfterItsTime() throws Exception {
    CountDownLatch woken = new CountDownLatch(MANY);
    park(MANY, clock.nanoTime(), woken);
    assertTrue(woken.await(30, TimeUnit.SECONDS), woken.getCount() + " were not woken");
  }

  @Test
  void aThreadThatParksAfterAllOthersHaveGoneIsWokenToo() throws Exception {
    for (int i = 0; i < 3; i++) {
      CountDownLatch woken = new CountDownLatch(1);
      park(1, clock.nanoTime(), woken);
      assertTrue(woken.await(30, TimeUnit.SECONDS), "not woken in round " + i);
    }
  }

  @Test
  void aPlatformThreadWakesAfterItsTimeByItself() {
    long most = parked.parkNanos(clock.nanoTime());
    assertTrue(most <= EventLoop.PARK_MARGIN_NANOS, most + " ns");
    assertTrue(parked.parkNanos(Deadline.NEVER_NANOS) <= Duration.ofSeconds(60).toNanos());
  }

  @Test
  void aPlatformThreadThatWasHeldUpGivesTheLoopMoreTime() throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Clock jumping = () -> clock.nanoTime()
        + (asked.getAndIncrement() < 2 ? 0 : Duration.ofHours(1).toNanos());
    CompletableFuture<Long> taken = new CompletableFuture<>();
    Thread.ofPlatform().daemon().start(() -> {
      long began = clock.nanoTime();
      new ParkedThreads("unused", jumping).parkPlatform(this, began);
      taken.complete(clock.nanoTime() - began);
    });
    long parkedFor = taken.get(30, TimeUnit.SECONDS);
    assertTrue(parkedFor > 2 * EventLoop.PARK_MARGIN_NANOS - 10_000_000, parkedFor + " ns");
  }

  private void park(int count, long until, CountDownLatch woken) {
    for (int i = 0; i < count; i++) {
      Thread.ofVirtual().start(() -> {
        ParkedThreads.Slot slot = parked.enter(Thread.currentThread(), until);
        LockSupport.park(this);
        parked.leave(Thread.currentThread(), slot);
        woken.countDown();
      });
    }
  }
}
