package heddle.bench.race;

import heddle.bench.result.Run;
import java.time.Duration;

/** Receives the progress of a race. All methods are called on the thread that runs the race. */
@FunctionalInterface
public interface RaceListener {

  /** Called when a step begins, and several times a second. */
  void progress(Progress progress);

  /** Called when a run is over. */
  default void finished(String label, Run run) {}

  /** Called if something failed and gave no or fewer figures; the race goes on. */
  default void failed(String what) {}

  /**
   * The progress of a race.
   *
   * @param doing the current step, such as {@code h1-64 okhttp, round 2 of 2}
   * @param done how many runs are over
   * @param total how many runs there are
   * @param left the estimated remaining time
   */
  record Progress(String doing, int done, int total, Duration left) {}
}
