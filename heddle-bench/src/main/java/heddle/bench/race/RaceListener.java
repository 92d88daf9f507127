package heddle.bench.race;

import heddle.bench.result.Run;
import java.time.Duration;

/** Follows a race while it runs. All calls come on the thread that runs the race. */
@FunctionalInterface
public interface RaceListener {

  /** Something begins, or some time has passed; several times a second. */
  void progress(Progress progress);

  /** A run is over. */
  default void finished(String label, Run run) {}

  /** Something gave no figures, or not all of them; the race goes on. */
  default void failed(String what) {}

  /**
   * How far the race is.
   *
   * @param doing what runs now, such as {@code h1-64 okhttp, round 2 of 2}
   * @param done how many runs are over
   * @param total how many runs there are
   * @param left the time that the rest will take, as it looks now
   */
  record Progress(String doing, int done, int total, Duration left) {}
}
