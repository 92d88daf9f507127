package heddle.bench.contender;

import heddle.bench.result.Recording;
import heddle.bench.result.RunFigures;
import java.util.List;

/**
 * The result of a contender's run.
 *
 * @param figures what it measured
 * @param doubts why the figures do not count; empty if they do
 * @param recording what else it recorded
 */
public record Outcome(RunFigures figures, List<String> doubts, Recording recording) {}
