package heddle.transport.tcp;

import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
  void aPlatformThreadIsWokenAfterItsTime() throws Exception {
    Thread thread = Thread.ofPlatform().start(() -> parked.park(this, clock.nanoTime()));
    assertTrue(thread.join(Duration.ofSeconds(30)));
  }

  private void park(int count, long until, CountDownLatch woken) {
    for (int i = 0; i < count; i++) {
      Thread.ofVirtual().start(() -> {
        parked.park(this, until);
        woken.countDown();
      });
    }
  }
}
