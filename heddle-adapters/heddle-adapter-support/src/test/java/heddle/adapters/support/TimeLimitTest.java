package heddle.adapters.support;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimeLimitTest {
  private static final long LONG = TimeUnit.HOURS.toNanos(1);
  private static final long SHORT = TimeUnit.MILLISECONDS.toNanos(20);

  @Test
  void whatTakesTooLongIsLate() throws Exception {
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
  void eachOfManyIsLate() throws Exception {
    CountDownLatch late = new CountDownLatch(100);
    for (int i = 100; i > 0; i--) {
      new TimeLimit(SHORT + i * 100_000L, late::countDown).begin();
    }
    late.await();
  }

  @Test
  void whatHasEndedIsNeverLate() throws Exception {
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
  void whatMayTakeForEverIsNotLateAtOnce() throws Exception {
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
