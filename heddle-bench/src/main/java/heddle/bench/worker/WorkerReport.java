package heddle.bench.worker;

import heddle.bench.result.Recording;
import heddle.bench.result.RunFigures;
import java.util.List;

/**
 * The result of one run of a client, as written to a worker's standard output.
 *
 * @param figures what was measured
 * @param exampleOfError the message of a failed request; empty if none failed
 * @param doubts why the figures do not count; empty if they do
 * @param recording what was recorded in addition to the figures
 */
public record WorkerReport(
    RunFigures figures, String exampleOfError, List<String> doubts, Recording recording) {

  /** Copies the list. */
  public WorkerReport {
    doubts = List.copyOf(doubts);
  }
}
