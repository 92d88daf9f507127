package heddle.cli;

import heddle.har.WireLog;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams of a command.
 *
 * @param in standard input
 * @param out results; unlike {@link System#out}, it throws if writing fails
 * @param err progress and failures
 * @param interactive whether {@code err} is a terminal, which gets a live view
 * @param shown whether {@code out} is a terminal
 * @param color whether that terminal has colours, and the user wants them
 */
record Terminal(
    InputStream in,
    OutputStream out,
    PrintStream err,
    boolean interactive,
    boolean shown,
    boolean color) {

  /** The streams of this process; the launcher says which are a terminal. */
  static Terminal ofProcess() {
    boolean shown = Boolean.getBoolean("heddle.terminal.out");
    // See no-color.org.
    boolean color = System.getenv().getOrDefault("NO_COLOR", "").isEmpty()
        && !System.getenv().getOrDefault("TERM", "dumb").equals("dumb");
    return new Terminal(
        System.in,
        new FileOutputStream(FileDescriptor.out),
        System.err,
        Boolean.getBoolean("heddle.terminal"),
        shown,
        shown && color);
  }

  /** Writes a result, completely. */
  void print(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Tells what the user should know beside the results. */
  void tell(String text) {
    err.println("heddle: " + text);
    err.flush();
  }

  /**
   * A text of a server in which no terminal finds a command: control characters are spelt out,
   * except for tabs and line ends.
   */
  static String printable(String text) {
    return WireLog.printable(text);
  }
}
