package heddle.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The streams that a command talks to.
 *
 * @param in what a body may be read from
 * @param out results; unlike {@link System#out} it tells when writing fails
 * @param err what a person wants to know meanwhile, and failures
 * @param interactive whether {@code err} is watched by a person, who gets a live view
 */
record Terminal(InputStream in, OutputStream out, PrintStream err, boolean interactive) {

  /** The streams of this process; the launcher tells whether they are a terminal. */
  static Terminal ofProcess() {
    return new Terminal(
        System.in,
        new FileOutputStream(FileDescriptor.out),
        System.err,
        Boolean.getBoolean("heddle.terminal"));
  }
}
