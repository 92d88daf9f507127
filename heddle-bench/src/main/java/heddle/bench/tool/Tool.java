package heddle.bench.tool;

import heddle.bench.result.RunFigures;
import heddle.load.LoadPlan;
import heddle.load.cluster.process.Executables;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A load generator in C that is installed on the machine. Its figures lack those that only a JVM
 * has.
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

  /** Why the tool cannot run such a load; null if it can. */
  @Nullable
  String refusal(LoadPlan plan);

  /** How long it will measure if it should measure this long. */
  Duration measured(Duration wanted);

  /**
   * The program and its arguments.
   *
   * @param folder a folder for files that the program reads
   */
  List<String> command(LoadPlan plan, Duration measured, Path folder) throws IOException;

  /** The same, run by a shell that prints the CPU time at the end. */
  default List<String> timedCommand(LoadPlan plan, Duration measured, Path folder)
      throws IOException {
    List<String> command = new ArrayList<>(List.of("sh", "-c", "\"$@\" && times", "sh"));
    command.addAll(command(plan, measured, folder));
    return command;
  }

  /**
   * Reads the output of the timed command.
   *
   * @throws IOException if it is malformed
   */
  RunFigures figures(String output) throws IOException;

  /**
   * Finds a part of the program's output.
   *
   * @throws IOException if the output does not have it
   */
  default Matcher find(Pattern pattern, String output) throws IOException {
    Matcher found = pattern.matcher(output);
    if (!found.find()) {
      throw new IOException(name() + " did not print " + pattern + ": " + output);
    }
    return found;
  }

  /** Adds failed requests to the errors, unless there are none with this cause. */
  static void note(Map<String, Long> errors, String cause, long count) {
    if (count > 0) {
      errors.put(cause, count);
    }
  }

  /** Reads the CPU time from the shell's output. */
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
