package heddle.bench.contender;

import heddle.bench.result.Outcome;
import heddle.bench.result.Recording;
import heddle.bench.tool.Tool;
import heddle.load.Extent;
import heddle.load.LoadPlan;
import heddle.load.cluster.process.Cores;
import heddle.load.cluster.process.ProcessOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A load generator in C: one process per run, without a warm-up. */
public final class ToolContender implements Contender {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Tool tool;
  private final List<Integer> cores;
  private final Path folder;

  public ToolContender(Tool tool, List<Integer> cores, Path folder) {
    this.tool = tool;
    this.cores = List.copyOf(cores);
    this.folder = folder;
  }

  @Override
  public String name() {
    return tool.name();
  }

  @Override
  public @Nullable String refusal(LoadPlan plan, boolean besideSlowReader) {
    return besideSlowReader ? "no slow reader" : tool.refusal(plan);
  }

  @Override
  public Outcome measure(LoadPlan plan, Runnable tick) throws IOException, InterruptedException {
    Duration measured =
        switch (plan.extent()) {
          case Extent.Lasting(Duration duration) -> duration;
          case Extent.Requests _ ->
            throw new IllegalArgumentException("a tool measures for a time, not " + plan);
        };
    List<String> command = Cores.pin(cores, tool.timedCommand(plan, measured, folder));
    long max = tool.measured(measured).plus(PATIENCE).toMillis();
    ProcessOutput output = ProcessOutput.of(command, max, tick);
    if (output.exitCode() != 0) {
      throw new IOException("exit code " + output.exitCode() + ": " + output.errors());
    }
    return new Outcome(tool.figures(output.output()), List.of(), Recording.NONE);
  }

  @Override
  public void close() {}
}
