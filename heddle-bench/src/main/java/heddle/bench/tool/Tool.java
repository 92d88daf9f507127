package heddle.bench.tool;

import heddle.bench.load.LoadPlan;
import heddle.bench.process.Executables;
import heddle.bench.result.RunFigures;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A load generator in C that is installed on the machine. What a JVM alone has is missing from its
 * figures.
 */
public sealed interface Tool permits Wrk, H2load {

  /** The second line of the shell's {@code times}: user and system time of its children. */
  Pattern CHILD_TIMES = Pattern.compile("(\\d+)m([0-9.]+)s\\s+(\\d+)m([0-9.]+)s\\s*\\z");

  /** The name of the program, and of its rows in reports. */
  String name();

  /** Whether there is such a program on the PATH. */
  default boolean isInstalled() {
    return Executables.find(name()).isPresent();
  }

  /** Why the tool cannot run such a load; null where it can. */
  @Nullable
  String refusal(LoadPlan plan);

  /** How long it will measure when it is asked to measure so long. */
  Duration measured(Duration wanted);

  /**
   * The program and its arguments.
   *
   * @param folder where it may put files that the program reads
   */
  List<String> command(LoadPlan plan, Duration measured, Path folder) throws IOException;

  /** The same, run by a shell that says in the end how much CPU time it took. */
  default List<String> timedCommand(LoadPlan plan, Duration measured, Path folder)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" && times", "sh"));
    command.addAll(command(plan, measured, folder));
    return command;
  }

  /**
   * Reads what the timed command printed.
   *
   * @throws IOException when that is something else
   */
  RunFigures figures(String output) throws IOException;

  /** What the shell said. */
  static double cpuSeconds(String output) throws IOException {
    Matcher times = CHILD_TIMES.matcher(output);
    if (!times.find()) {
      throw new IOException("the shell did not say how much CPU time it took: " + output);
    }
    return 60 * Double.parseDouble(times.group(1))
        + Double.parseDouble(times.group(2))
        + 60 * Double.parseDouble(times.group(3))
        + Double.parseDouble(times.group(4));
  }
}
