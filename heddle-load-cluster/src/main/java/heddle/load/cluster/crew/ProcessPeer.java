package heddle.load.cluster.crew;

import heddle.load.cluster.process.Children;
import heddle.load.cluster.process.ProcessOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process of this machine, which reads orders from its standard input and writes answers to its
 * standard output. Its errors are kept in a file until it is closed.
 */
public final class ProcessPeer implements Peer {

  private static final long END_MILLIS = 2_000;

  private final Process process;
  private final Path errors;
  private final LineChannel channel;

  private ProcessPeer(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.channel = new LineChannel(process.getInputStream(), process.getOutputStream());
  }

  /**
   * Starts a process.
   *
   * @param isKilled whether it is killed when this JVM ends; if not, it has to end when its
   *     standard input does
   * @throws IOException if it cannot be started
   */
  public static ProcessPeer start(List<String> command, boolean isKilled) throws IOException {
    Path errors = ProcessOutput.temporary(".err");
    boolean isStarted = false;
    try {
      ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
      Process process = isKilled ? Children.start(builder) : builder.start();
      isStarted = true;
      return new ProcessPeer(process, errors);
    } finally {
      if (!isStarted) {
        ProcessOutput.delete(errors);
      }
    }
  }

  @Override
  public LineChannel channel() {
    return channel;
  }

  @Override
  public String lastWords() throws IOException, InterruptedException {
    boolean isOver = process.waitFor(1, TimeUnit.SECONDS);
    String how = isOver ? "it ended with exit code " + process.exitValue() : "it did not end";
    return how + ": " + ProcessOutput.tail(errors);
  }

  /**
   * Waits until it has ended by itself.
   *
   * @return whether it has ended with exit code 0
   */
  public boolean awaitEnd(Duration most) throws InterruptedException {
    return process.waitFor(most.toMillis(), TimeUnit.MILLISECONDS) && process.exitValue() == 0;
  }

  /** Kills it, and waits until it is gone with its connections. */
  @Override
  public void close() {
    Children.kill(process);
    try {
      process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ProcessOutput.delete(errors);
    }
  }
}
