package heddle.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.DeadlinePassedException;
import heddle.transport.Timer;
import heddle.transport.Waiting;
import heddle.transport.time.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ManualLoopTest {
  private final ManualLoop loop = new ManualLoop();
  private final List<String> log = new ArrayList<>();

  private void log(String what) {
    log.add(what + "@" + loop.clock().nanoTime());
  }

  @Test
  void nothingRunsUntilTold() {
    loop.execute(() -> log("task"));
    loop.newTimer(() -> log("timer")).arm(0);
    assertEquals(List.of(), log);
    assertEquals(2, loop.pending());
    loop.runPending();
    assertEquals(List.of("task@0", "timer@0"), log);
    assertEquals(0, loop.pending());
  }

  @Test
  void timersFireAtTheirTimesWhileTheClockMoves() {
    loop.newTimer(() -> log("late")).arm(20);
    loop.newTimer(() -> {
          log("early");
          loop.newTimer(() -> log("between")).arm(15);
        })
        .arm(10);
    loop.newTimer(() -> log("too late")).arm(26);
    loop.advance(Duration.ofNanos(25));
    assertEquals(List.of("early@10", "between@15", "late@20"), log);
    assertEquals(25, loop.clock().nanoTime());
  }

  @Test
  void armReplacesAndDisarmAndCancelPrevent() {
    Timer moved = loop.newTimer(() -> log("moved"));
    moved.arm(5);
    moved.arm(7);
    Timer disarmed = loop.newTimer(() -> log("disarmed"));
    disarmed.arm(5);
    disarmed.arm(Deadline.NEVER_NANOS);
    Timer cancelled = loop.newTimer(() -> log("cancelled"));
    cancelled.cancel();
    cancelled.arm(5);
    loop.advance(Duration.ofNanos(10));
    assertEquals(List.of("moved@7"), log);
  }

  @Test
  void loopIsTheThreadThatDrivesIt() {
    assertFalse(loop.inLoop());
    loop.execute(() -> log("in loop: " + loop.inLoop()));
    loop.execute(() -> assertThrows(IllegalStateException.class, loop::runPending));
    loop.runPending();
    assertEquals(List.of("in loop: true@0"), log);
  }

  @Test
  void waitingThreadSeesTheDeadlineOfTheManualClock() throws Exception {
    CompletableFuture<Boolean> result = new CompletableFuture<>();
    Thread waiter = Thread.ofVirtual().start(() -> {
      try {
        Waiting.until(() -> false, loop, new Deadline(1_000), "testing");
        result.complete(true);
      } catch (java.io.IOException e) {
        result.completeExceptionally(e);
      }
    });
    while (loop.pending() == 0) {
      Thread.onSpinWait();
    }
    loop.advance(Duration.ofNanos(1_000));
    ExecutionException failure =
        assertThrows(ExecutionException.class, () -> result.get(20, TimeUnit.SECONDS));
    assertTrue(failure.getCause() instanceof DeadlinePassedException);
    assertTrue(waiter.join(Duration.ofSeconds(20)));
    assertEquals(0, loop.pending());
  }

  @Test
  void clockNeverGoesBack() {
    assertThrows(IllegalArgumentException.class, () -> loop.clock().advance(Duration.ofNanos(-1)));
  }
}
