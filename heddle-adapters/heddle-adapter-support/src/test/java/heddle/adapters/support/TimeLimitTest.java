package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimeLimitTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);

  @Test
  void anExpiredLimitIsLate() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    long began = System.nanoTime();
    TimeLimit limit = new TimeLimit(SHORT, late::countDown);
    limit.begin();
    late.await();
    assertTrue(System.nanoTime() - began >= SHORT);
  }

  @Test
  void aShortLimitIsNotKeptWaitingByALongOneThatBeganBefore() throws Exception {
    TimeLimit before = new TimeLimit(LONG, () -> {});
    before.begin();
    CountDownLatch late = new CountDownLatch(1);
    new TimeLimit(SHORT, late::countDown).begin();
    late.await();
    before.end();
  }

  @Test
  void nobodyIsLateBeforeItsTimeBecauseAnotherIs() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    long began = System.nanoTime();
    new TimeLimit(SHORT, () -> {}).begin();
    new TimeLimit(4 * SHORT, late::countDown).begin();
    late.await();
    assertTrue(System.nanoTime() - began >= 4 * SHORT);
  }

  @Test
  void theSecondOfTwoShortOnesIsNotKeptWaitingByALongOne() throws Exception {
    TimeLimit before = new TimeLimit(LONG, () -> {});
    before.begin();
    CountDownLatch late = new CountDownLatch(2);
    new TimeLimit(SHORT, late::countDown).begin();
    new TimeLimit(2 * SHORT, late::countDown).begin();
    late.await();
    before.end();
  }

  @Test
  void anEndlessLimitDoesNotDelayOthers() throws Exception {
    TimeLimit endless = new TimeLimit(Long.MAX_VALUE, () -> {});
    for (int i = 0; i < 5_000; i++) {
      CountDownLatch late = new CountDownLatch(1);
      new TimeLimit(0, late::countDown).begin();
      endless.begin();
      late.await();
      endless.end();
    }
  }

  @Test
  void beginningAgainDoesNotExtendARunningLimit() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    TimeLimit limit = new TimeLimit(25 * SHORT, late::countDown);
    while (late.getCount() > 0) {
      limit.begin();
      Thread.onSpinWait();
    }
    limit.end();
  }

  @Test
  void lateLimitIsReportedOnce() throws Exception {
    AtomicInteger told = new AtomicInteger();
    TimeLimit limit = new TimeLimit(SHORT, told::incrementAndGet);
    limit.begin();
    for (int i = 2; i < 5; i++) {
      CountDownLatch later = new CountDownLatch(1);
      new TimeLimit(i * SHORT, later::countDown).begin();
      later.await();
    }
    limit.end();
    assertEquals(1, told.get());
  }

  @Test
  void eachOfManyIsLate() throws Exception {
    CountDownLatch late = new CountDownLatch(100);
    for (int i = 100; i > 0; i--) {
      new TimeLimit(SHORT + i * 100_000L, late::countDown).begin();
    }
    late.await();
  }

  @Test
  void anEndedLimitIsNeverLate() throws Exception {
    AtomicBoolean wrong = new AtomicBoolean();
    List<TimeLimit> ended = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      TimeLimit limit = new TimeLimit(SHORT, () -> wrong.set(true));
      limit.begin();
      ended.add(limit);
    }
    ended.forEach(TimeLimit::end);
    CountDownLatch later = new CountDownLatch(1);
    new TimeLimit(2 * SHORT, later::countDown).begin();
    later.await();
    assertFalse(wrong.get());
  }

  @Test
  void aLimitWithoutEndIsNotLateAtOnce() throws Exception {
    AtomicBoolean wrong = new AtomicBoolean();
    TimeLimit endless = new TimeLimit(Long.MAX_VALUE, () -> wrong.set(true));
    endless.begin();
    CountDownLatch later = new CountDownLatch(1);
    new TimeLimit(SHORT, later::countDown).begin();
    later.await();
    endless.end();
    assertFalse(wrong.get());
  }

  @Test
  void theTimeBeginsAnewWithEachBeginning() throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    TimeLimit limit = new TimeLimit(SHORT, late::countDown);
    limit.begin();
    limit.end();
    CountDownLatch later = new CountDownLatch(1);
    new TimeLimit(2 * SHORT, later::countDown).begin();
    later.await();
    assertFalse(late.await(0, TimeUnit.SECONDS));
    limit.begin();
    late.await();
  }
}
