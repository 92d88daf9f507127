package heddle.bench.contender;

import heddle.bench.result.Recording;
import heddle.bench.result.RunFigures;
import java.util.List;

/**
 * What a contender says of its run.
 *
 * @param figures what it measured
 * @param doubts why that does not count; empty where it does
 * @param recording what it recorded beside that
 */
public record Outcome(RunFigures figures, List<String> doubts, Recording recording) {}
