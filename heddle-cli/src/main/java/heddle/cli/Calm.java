package heddle.cli;

import heddle.bench.machine.Disturbance;
import heddle.bench.machine.Moment;
import heddle.load.cluster.process.Cores;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Waits for a machine that is quiet enough for a race. */
final class Calm {

  private static final Duration LOOK = Duration.ofMillis(700);

  private Calm() {}

  /**
   * Looks at the machine for a moment, and says so if it is busy. Then waits until it is quiet, but
   * for {@code most} at most; in a terminal until the user presses Enter.
   *
   * @param isStopped whether the user has asked for the end
   */
  static void await(Duration most, Terminal terminal, BooleanSupplier isStopped)
      throws IOException, InterruptedException {
    await(most, terminal, isStopped, Calm::disturbances);
  }

  /** Looks at a machine for a moment: what takes its cores, or nothing. */
  @FunctionalInterface
  interface Machine {
    List<String> disturbances() throws IOException, InterruptedException;
  }

  static void await(Duration most, Terminal terminal, BooleanSupplier isStopped, Machine machine)
      throws IOException, InterruptedException {
    List<String> why = machine.disturbances();
    if (why.isEmpty()) {
      return;
    }
    boolean isAsking = terminal.interactive() && most.isZero();
    terminal.tell("the machine is busy: " + String.join("; ", why) + ".");
    terminal.tell(
        isAsking
            ? "waiting until it is quiet. Press Enter to race at once."
            : most.isZero()
                ? "a race now may not decide. --wait 10m waits for quiet."
                : "waiting for up to " + most.toSeconds() + " s until it is quiet.");
    long begin = System.nanoTime();
    while (!why.isEmpty() && !isStopped.getAsBoolean()) {
      boolean isOver =
          isAsking ? terminal.in().available() > 0 : System.nanoTime() - begin >= most.toNanos();
      if (isOver) {
        return;
      }
      why = machine.disturbances();
    }
  }

  private static List<String> disturbances() throws IOException, InterruptedException {
    List<Integer> cores = Cores.ofThisMachine().all();
    Moment before = Moment.now(cores);
    Thread.sleep(LOOK);
    return Disturbance.MACHINE.disturbingAtAll(Moment.now(cores).since(before));
  }
}
