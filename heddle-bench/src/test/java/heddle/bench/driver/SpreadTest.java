package heddle.bench.driver;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.AsyncClientDriver.AsyncExchange;
import heddle.bench.driver.AsyncClientDriver.Completion;
import heddle.bench.driver.ClientDriver.Exchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpreadTest {

  private static final Answer OK = new Answer(200, 0);

  @Test
  void noMemberEverGetsMoreThanItsLimit() throws Exception {
    int members = 4;
    int limit = 3;
    AtomicInteger most = new AtomicInteger();
    AtomicInteger total = new AtomicInteger();
    List<Exchange> all = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      AtomicInteger running = new AtomicInteger();
      all.add(() -> {
        most.accumulateAndGet(running.incrementAndGet(), Math::max);
        total.incrementAndGet();
        LockSupport.parkNanos(1_000);
        running.decrementAndGet();
        return OK;
      });
    }
    Exchange spread = Spread.blocking(all, limit);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> ends = new ArrayList<>();
      for (int i = 0; i < members * limit; i++) {
        ends.add(callers.submit(() -> {
          for (int n = 0; n < 200; n++) {
            spread.exchange();
          }
          return OK;
        }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    }
    assertEquals(members * limit * 200, total.get());
    assertTrue(most.get() <= limit, "at once: " + most);
  }

  @Test
  void placesAreGivenBackByAnswersAndFailures() {
    List<Completion> begun = new ArrayList<>();
    AsyncExchange member = begun::add;
    AsyncExchange spread = Spread.async(List.of(member, member), 1);
    AtomicInteger ended = new AtomicInteger();
    Completion counting = new Completion() {
      @Override
      public void answered(Answer answer) {
        ended.incrementAndGet();
      }

      @Override
      public void failed(Throwable cause) {
        ended.addAndGet(10);
      }
    };
    for (int i = 0; i < 3; i++) {
      spread.begin(counting);
      spread.begin(counting);
      begun.removeFirst().answered(OK);
      begun.removeFirst().failed(new IOException());
    }
    assertEquals(33, ended.get());
  }

  @Test
  void whoFindsNoPlaceWaitsWithoutTakingACore() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    Exchange member = () -> {
      answer.await();
      return OK;
    };
    Exchange spread = Spread.blocking(List.of(member, member), 1);
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      callers.add(Thread.ofPlatform().start(() -> assertDoesNotThrow(spread::exchange)));
    }
    for (Thread each : callers) {
      while (each.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
    }
    answer.countDown();
    for (Thread each : callers) {
      each.join();
    }
  }

  @Test
  void oneMemberIsLeftAsItIs() {
    Exchange alone = () -> OK;
    assertSame(alone, Spread.blocking(List.of(alone), 1));
  }
}
