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
 * @param interactive whether {@code err} is watched by a person, who gets a live line
 */
record Terminal(InputStream in, OutputStream out, PrintStream err, boolean interactive) {

  private static final String CLEAR = "\r\u001b[K";
  private static final int WIDTH = 100;

  /** The streams of this process; the launcher tells whether they are a terminal. */
  static Terminal ofProcess() {
    return new Terminal(
        System.in,
        new FileOutputStream(FileDescriptor.out),
        System.err,
        Boolean.getBoolean("heddle.terminal"));
  }

  /** Replaces the live line; says nothing where nobody watches. */
  void live(String text) {
    if (interactive) {
      err.print(CLEAR + (text.length() > WIDTH ? text.substring(0, WIDTH) : text));
      err.flush();
    }
  }

  /** Takes the live line away. */
  void endLive() {
    if (interactive) {
      err.print(CLEAR);
      err.flush();
    }
  }
}
