package heddle.cli.live;

import heddle.bench.race.RaceListener;
import heddle.bench.result.RunFigures;
import java.util.List;

/**
 * How a race is doing.
 *
 * @param progress how far it is
 * @param finished the runs that ended last, the latest last
 * @param failed how much has failed so far
 * @param lastFailure the latest of it; empty where nothing did
 */
record RaceMoment(
    RaceListener.Progress progress, List<Finished> finished, int failed, String lastFailure) {

  /** A run that is over, and whether its figures count: {@code valid}, or what else. */
  record Finished(String label, RunFigures figures, String soundness) {}
}
