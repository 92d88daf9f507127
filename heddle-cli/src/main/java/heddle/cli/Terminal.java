package heddle.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The streams of a command.
 *
 * @param in standard input
 * @param out results; unlike {@link System#out}, it throws if writing fails
 * @param err progress and failures
 * @param interactive whether {@code err} is a terminal, which gets a live view
 */
record Terminal(InputStream in, OutputStream out, PrintStream err, boolean interactive) {

  /** The streams of this process; the launcher says whether they are a terminal. */
  static Terminal ofProcess() {
    return new Terminal(
        System.in,
        new FileOutputStream(FileDescriptor.out),
        System.err,
        Boolean.getBoolean("heddle.terminal"));
  }
}
