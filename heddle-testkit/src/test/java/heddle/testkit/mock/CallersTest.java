package heddle.testkit.mock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CallersTest {
  @Test
  void allCallAtOnceAndEachHasChancesOfItsOwn() throws Exception {
    CyclicBarrier all = new CyclicBarrier(8);
    Set<Long> drawn = ConcurrentHashMap.newKeySet();
    Callers.atOnce(8, random -> {
      all.await();
      drawn.add(random.nextLong());
    });
    assertEquals(8, drawn.size());
    Callers.atOnce(8, random -> assertTrue(drawn.contains(random.nextLong())));
  }

  @Test
  void aFailureSaysWhoseItIs() {
    IOException failure = new IOException("mine");
    AssertionError told = assertThrows(
        AssertionError.class,
        () -> Callers.atOnce(1, random -> {
          throw failure;
        }));
    assertSame(failure, told.getCause());
    assertTrue(told.getMessage().contains("seed 0"), told.getMessage());
  }

  @Test
  void whoWaitsForWhatNeverComesIsInterruptedWhenAnotherFails() {
    CountDownLatch never = new CountDownLatch(1);
    long drawnByTheLast = new Random(1).nextLong();
    AssertionError told = assertThrows(
        AssertionError.class,
        () -> Callers.atOnce(2, random -> {
          if (random.nextLong() == drawnByTheLast) {
            throw new IOException("gone");
          }
          never.await();
        }));
    assertInstanceOf(IOException.class, told.getCause());
  }

  @Test
  void nobodyIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> Callers.atOnce(0, random -> {}));
  }
}
