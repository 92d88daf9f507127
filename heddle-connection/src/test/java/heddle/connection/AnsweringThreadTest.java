package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnsweringThreadTest {
  private final AnsweringThread answering = new AnsweringThread();

  @AfterEach
  void clearTheFlag() {
    Thread.interrupted();
  }

  private static void interruptFromElsewhere(AnsweringThread answering) throws Exception {
    Thread.ofVirtual().start(answering::interrupt).join();
  }

  @Test
  void whoIsNotInterruptedMayComeAndGo() {
    for (int i = 0; i < 2; i++) {
      assertTrue(answering.enter());
      assertFalse(answering.leave());
    }
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void interruptBeforeEnteringKeepsTheThreadOut() {
    answering.interrupt();
    assertFalse(answering.enter());
    assertTrue(answering.leave());
    assertFalse(answering.enter());
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void interruptReachesTheThreadThatHasEntered() throws Exception {
    assertTrue(answering.enter());
    Thread other = Thread.ofVirtual().start(answering::interrupt);
    while (!Thread.currentThread().isInterrupted()) {
      LockSupport.park();
    }
    assertTrue(answering.leave());
    assertFalse(Thread.currentThread().isInterrupted(), "ours was not cleared");
    other.join();
  }

  @Test
  void noInterruptComesAfterLeaving() throws Exception {
    assertTrue(answering.enter());
    assertFalse(answering.leave());
    interruptFromElsewhere(answering);
    assertFalse(Thread.currentThread().isInterrupted());
  }

  @Test
  void interruptThatSomebodyElseHadSentStays() throws Exception {
    assertTrue(answering.enter());
    Thread me = Thread.currentThread();
    me.interrupt();
    Thread other = Thread.ofVirtual().start(answering::interrupt);
    while (other.isAlive()) {
      Thread.onSpinWait();
    }
    assertTrue(answering.leave());
    assertTrue(me.isInterrupted(), "an interrupt that was not ours is gone");
  }
}
