package heddle.bench.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import heddle.bench.experiment.Experiment;
import heddle.bench.experiment.ExperimentReader;
import heddle.bench.result.Effect;
import heddle.bench.result.Figure;
import heddle.bench.result.Measurement;
import heddle.bench.result.Method;
import heddle.bench.result.RaceResult;
import heddle.bench.server.ServerCommand;
import heddle.bench.stats.Verdict;
import heddle.bench.worker.BlockingTestDriver;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A race of a client with itself on a machine whose cores others take now and then. */
@EnabledIfSystemProperty(
    named = "heddle.race.busy",
    matches = "true",
    disabledReason = "takes every core for half a minute: see CONTRIBUTING.md")
class BusyMachineTest {

  private static final long LONGEST_NANOS = 400_000_000;

  @TempDir
  private Path home = Path.of("");

  private final List<Thread> others = new ArrayList<>();
  private volatile boolean isOver;

  @BeforeEach
  void takeTheCores() {
    for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
      SplittableRandom random = new SplittableRandom(i);
      others.add(Thread.ofPlatform().start(() -> workNowAndThen(random)));
    }
  }

  private void workNowAndThen(SplittableRandom random) {
    while (!isOver) {
      long end = System.nanoTime() + random.nextLong(LONGEST_NANOS);
      while (System.nanoTime() - end < 0) {
        Thread.onSpinWait();
      }
      LockSupport.parkNanos(random.nextLong(LONGEST_NANOS));
    }
  }

  @AfterEach
  void leaveThem() throws InterruptedException {
    isOver = true;
    for (Thread each : others) {
      each.join();
    }
  }

  @Test
  void clientIsNeitherCheaperNorDearerThanItself() throws Exception {
    DriverFolder.install(home, "test", BlockingTestDriver.class);
    String text =
        """
        name: busy
        title: The same client three times
        shows: that a machine under load gives no verdict
        rounds: 7
        method: warm
        baseline: one
        entrants:
          - {clients: test, name: one}
          - {clients: test, name: other}
        cells:
          - name: busy
            connections: 16
            get: /hello
            answer: 6 B
            load: {callers: 16}
            warm-up: 2 s
            for: 1 s
        """;
    Experiment experiment = ExperimentReader.read("busy.yaml", text, null);
    RacePlan plan = RacePlan.DEFAULT.withMethod(Method.WARM).withRounds(7).withBaseline("one");
    RaceResult result = new Race(RaceOptions.builder(home)
            .experiment(experiment)
            .plan(plan)
            .scale(1.0)
            .server(new ServerCommand(StandInServer.class.getName(), List.of(), List.of()))
            .outputs(RaceOutputs.in(home.resolve("out")))
            .build())
        .run(progress -> {});
    assertEquals(List.of(), result.failures());
    Measurement other = result.results().stream()
        .filter(each -> each.client().equals("other"))
        .findFirst()
        .orElse(null);
    assertNotNull(other, result::toString);
    Effect cpu = other.effect(Figure.CPU);
    if (cpu != null) {
      assertFalse(cpu.verdict() instanceof Verdict.Better, cpu::toString);
      assertFalse(cpu.verdict() instanceof Verdict.Worse, cpu::toString);
    }
  }
}
