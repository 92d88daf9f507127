package heddle.load.cluster.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The output of a short program.
 *
 * @param exitCode 0 on success
 * @param output the text of standard output
 * @param errors the last lines of standard error
 */
public record ProcessOutput(int exitCode, String output, String errors) {

  private static final int TAIL_LINES = 6;
  private static final long TICK_MILLIS = 200;

  /** The prefixes of stack frames in the output of a JVM. */
  private static final String STACK_FRAME = "\tat ";

  private static final String MORE_FRAMES = "\t... ";

  /**
   * Runs a program to its end. Both outputs go to files, so that neither can block it.
   *
   * @param tick called several times a second
   * @throws IOException if it cannot be started, or has not ended after {@code maxMillis}; it is
   *     then killed
   */
  public static ProcessOutput of(List<String> command, long maxMillis, Runnable tick)
      throws IOException, InterruptedException {
    Path output = temporary(".out");
    Path errors = temporary(".err");
    long deadline = System.nanoTime() + maxMillis * 1_000_000;
    Process process = null;
    try {
      process = Children.start(new ProcessBuilder(command)
          .redirectOutput(output.toFile())
          .redirectError(errors.toFile()));
      while (!process.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS)) {
        tick.run();
        if (System.nanoTime() > deadline) {
          throw new IOException("not over after " + maxMillis / 1000 + " s: " + tail(errors));
        }
      }
      String text = Files.readString(output, StandardCharsets.UTF_8);
      return new ProcessOutput(process.exitValue(), text, tail(errors));
    } finally {
      if (process != null) {
        Children.kill(process);
      }
      delete(output);
      delete(errors);
    }
  }

  /** A file for the output of a process, which is deleted when this JVM ends. */
  public static Path temporary(String suffix) throws IOException {
    Path file = Files.createTempFile("heddle-race", suffix);
    file.toFile().deleteOnExit();
    return file;
  }

  /** The last lines of a file, on one line, without stack frames. */
  public static String tail(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8).stream()
        .filter(line -> !line.startsWith(STACK_FRAME) && !line.startsWith(MORE_FRAMES))
        .toList();
    int from = Math.max(0, lines.size() - TAIL_LINES);
    return lines.isEmpty()
        ? "it printed no error"
        : String.join(" | ", lines.subList(from, lines.size()));
  }

  /** Deletes a file; if that fails now, at the end of this JVM. */
  public static void delete(@Nullable Path file) {
    if (file != null && !file.toFile().delete()) {
      file.toFile().deleteOnExit();
    }
  }
}
