package heddle.verify.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A few trials of the torture suite, shortened; {@code heddle-verify/run torture} does them all.
 */
final class TortureTest {
  private static final Duration SHORT = Duration.ofMillis(1_200);
  private static final int AT_ONCE = 3;

  private static final List<String> SAMPLE = List.of(
      "announced-length-h1",
      "hpack-bomb",
      "one-byte-chunks",
      "tls-slow-hello",
      "unread-content",
      "client-window-flood",
      "out-of-memory-server-h1",
      "io-client-h2-simulated",
      "descriptor-neighbour");

  @Test
  void serverAndClientSurviveASampleOfTheTrials() throws Exception {
    Map<String, Trial> byName =
        Torture.trials().collect(Collectors.toMap(Trial::name, Function.identity()));
    List<Future<Result>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        Stalls stalls = new Stalls()) {
      for (String name : SAMPLE) {
        Trial trial = byName.get(name);
        assertTrue(trial != null, () -> "there is no trial called " + name);
        Trial shorter = trial instanceof ServerTrial server ? server.lasting(SHORT) : trial;
        running.add(threads.submit(() -> shorter.run(stalls)));
      }
    }
    List<String> failures = new ArrayList<>();
    for (Future<Result> each : running) {
      Result result = each.get();
      // How fast others are is for the suite to judge, on a machine that does nothing else.
      result.failures().stream()
          .filter(failure -> !failure.startsWith(ServerTrial.SLOW))
          .forEach(failure -> failures.add(result.name() + ": " + failure));
    }
    assertEquals(List.of(), failures);
  }

  @Test
  void aTrialThatFailsSaysSoInItsRow() {
    Result failed = Result.of("some-attack", List.of("the process died"), "");
    assertTrue(failed.cells().getLast().contains("FAILED: the process died"));
    assertTrue(Result.markdown(failed.cells()).startsWith("| some-attack |"));
  }
}
