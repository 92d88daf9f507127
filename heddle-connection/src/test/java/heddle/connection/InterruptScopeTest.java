package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InterruptScopeTest {
  private final InterruptScope scope = new InterruptScope();

  @AfterEach
  void clearTheFlag() {
    Thread.interrupted();
  }

  private static void interruptFromElsewhere(InterruptScope scope) throws Exception {
    Thread.ofVirtual().start(scope::interrupt).join();
  }

  @Test
  void whoIsNotInterruptedMayComeAndGo() {
    for (int i = 0; i < 2; i++) {
      assertTrue(scope.enter());
      assertFalse(scope.leave());
    }
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void interruptBeforeEnteringKeepsTheThreadOut() {
    scope.interrupt();
    assertFalse(scope.enter());
    assertTrue(scope.leave());
    assertFalse(scope.enter());
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void interruptReachesTheThreadThatHasEntered() throws Exception {
    assertTrue(scope.enter());
    Thread other = Thread.ofVirtual().start(scope::interrupt);
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.park();
    }
    assertTrue(scope.leave());
    assertFalse(Thread.currentThread().isInterrupted(), "ours was not cleared");
    other.join();
  }

  @Test
  void noInterruptComesAfterLeaving() throws Exception {
    assertTrue(scope.enter());
    assertFalse(scope.leave());
    interruptFromElsewhere(scope);
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void interruptThatSomebodyElseHadSentStays() throws Exception {
    assertTrue(scope.enter());
    Thread me = Thread.currentThread();
    me.interrupt();
    Thread other = Thread.ofVirtual().start(scope::interrupt);
    while (other.isAlive()) {
      Thread.onSpinWait();
    }
    assertTrue(scope.leave());
    assertTrue(me.isInterrupted(), "an interrupt that was not ours is gone");
  }

  @Test
  void anInterruptThatComesAsAThreadEntersIsNotLost() throws InterruptedException {
    // On one processor a round takes as long as its scheduler lets a thread spin.
    long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
    for (int i = 0; i < 20_000 && System.nanoTime() < end; i++) {
      InterruptScope late = new InterruptScope();
      AtomicBoolean begun = new AtomicBoolean();
      Thread entering = Thread.ofVirtual().start(() -> {
        begun.set(true);
        if (late.enter()) {
          while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
          }
        }
        late.leave();
      });
      while (!begun.get()) {
        Thread.onSpinWait();
      }
      late.interrupt();
      assertTrue(entering.join(Duration.ofSeconds(20)), "the interrupt was lost");
    }
  }
}
