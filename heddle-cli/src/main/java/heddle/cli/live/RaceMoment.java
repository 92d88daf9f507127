package heddle.cli.live;

import heddle.bench.race.RaceListener;
import heddle.bench.result.RunFigures;
import java.util.List;

/**
 * The state of a race at some moment.
 *
 * @param progress its progress
 * @param finished the runs that ended last, the latest last
 * @param failed the number of failures so far
 * @param lastFailure the last failure; empty if there was none
 */
record RaceMoment(
    RaceListener.Progress progress, List<Finished> finished, int failed, String lastFailure) {

  /** A finished run with its soundness, such as {@code valid}. */
  record Finished(String label, RunFigures figures, String soundness) {}
}
