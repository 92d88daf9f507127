package heddle.bench.result;

import java.util.List;

/**
 * The result of one run of a client.
 *
 * @param figures what was measured
 * @param doubts why the figures do not count; empty if they do
 * @param recording what was recorded in addition to the figures
 */
public record Outcome(RunFigures figures, List<String> doubts, Recording recording) {

  /** Copies the list. */
  public Outcome {
    doubts = List.copyOf(doubts);
  }
}
