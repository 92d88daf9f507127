package heddle.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.worker.WorkerAnswer;
import heddle.bench.worker.WorkerOrder;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A shell plays the worker. */
class WorkerProcessTest {

  private static final String HELLO =
      "echo '{\"type\":\"hello\",\"client\":\"c\",\"version\":\"7\"}'; ";

  @Test
  void answersComeBackInTheirOrder() throws Exception {
    String script = HELLO + "read a; echo '{\"type\":\"done\"}'; read b;"
        + " echo '{\"type\":\"refusal\",\"reason\":\"no\"}'; read c";
    WorkerProcess.Started started = start(script);
    try (WorkerProcess worker = started.process()) {
      assertEquals(new WorkerAnswer.Hello("c", "7"), started.hello());
      assertEquals(new WorkerAnswer.Done(), ask(worker, Duration.ofSeconds(20)));
      assertEquals(new WorkerAnswer.Refusal("no"), ask(worker, Duration.ofSeconds(20)));
    }
  }

  @Test
  void workerThatHangsIsGivenUpWithItsLastOutput() throws Exception {
    try (WorkerProcess worker =
        start("echo 'I wait for ever' >&2; " + HELLO + "sleep 600").process()) {
      AtomicInteger ticks = new AtomicInteger();
      WorkerLostException lost = assertThrows(
          WorkerLostException.class,
          () -> worker.ask(
              new WorkerOrder.Pin(List.of(0), List.of(0)),
              Duration.ofMillis(300),
              ticks::incrementAndGet));
      String message = String.valueOf(lost.getMessage());
      assertTrue(message.contains("no answer") && message.contains("wait for ever"), message);
      assertTrue(ticks.get() > 0);
    }
  }

  @Test
  void workerThatEndsIsGivenUpWithItsExitCode() throws Exception {
    try (WorkerProcess worker = start(HELLO + "read a; echo 'oh' >&2; exit 9").process()) {
      WorkerLostException lost =
          assertThrows(WorkerLostException.class, () -> ask(worker, Duration.ofSeconds(20)));
      String message = String.valueOf(lost.getMessage());
      assertTrue(message.contains("exit code 9") && message.contains("oh"), message);
    }
  }

  private static WorkerAnswer ask(WorkerProcess worker, Duration patience) throws Exception {
    return worker.ask(new WorkerOrder.Pin(List.of(0), List.of(0)), patience, () -> {});
  }

  private static WorkerProcess.Started start(String script) throws Exception {
    return WorkerProcess.start(List.of("sh", "-c", script), () -> {});
  }
}
