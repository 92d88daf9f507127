package heddle.bench.contender;

import heddle.bench.worker.WorkerAnswer;
import heddle.bench.worker.WorkerOrder;
import heddle.load.cluster.process.Children;
import heddle.load.cluster.process.ProcessOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The race's handle on a worker: an order goes in, an answer comes out. Used by one thread. */
final class WorkerProcess implements AutoCloseable {

  private static final long TICK_MILLIS = 200;
  private static final Duration START = Duration.ofSeconds(30);
  private static final Duration END = Duration.ofSeconds(2);

  private final Process process;
  private final Path errors;
  private final Writer orders;

  /** Its lines; an empty optional is the end of its output. */
  private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();

  private WorkerProcess(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  /** A worker that has said its hello. */
  record Started(WorkerProcess process, WorkerAnswer.Hello hello) {}

  static Started start(List<String> command, Runnable tick)
      throws IOException, InterruptedException {
    Path errors = ProcessOutput.temporary(".err");
    WorkerProcess started = null;
    try {
      Process process = Children.start(new ProcessBuilder(command).redirectError(errors.toFile()));
      WorkerProcess worker = new WorkerProcess(process, errors);
      started = worker;
      Thread.ofVirtual().start(worker::listen);
      if (worker.awaitAnswer(START, tick) instanceof WorkerAnswer.Hello hello) {
        started = null;
        return new Started(worker, hello);
      }
      throw worker.lost("it did not say which client it has");
    } finally {
      if (started != null) {
        started.close();
      }
    }
  }

  private void listen() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (@Nullable String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(Optional.of(line));
      }
    } catch (IOException e) {
      // The process has ended; the end of its output says so.
    }
    lines.add(Optional.empty());
  }

  /**
   * Sends an order and waits for the answer.
   *
   * @param patience how long to wait
   * @param tick called several times a second
   * @throws WorkerLostException if the worker is dead or does not answer; it is unusable then
   */
  WorkerAnswer ask(WorkerOrder order, Duration patience, Runnable tick)
      throws IOException, InterruptedException {
    try {
      orders.write(order.toJson());
      orders.write('\n');
      orders.flush();
    } catch (IOException e) {
      throw lost("it takes no orders");
    }
    return awaitAnswer(patience, tick);
  }

  private WorkerAnswer awaitAnswer(Duration patience, Runnable tick)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<String> line = lines.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
      if (line == null) {
        tick.run();
        if (System.nanoTime() > deadline) {
          throw lost("no answer for " + patience.toSeconds() + " s");
        }
      } else if (line.isEmpty()) {
        throw lost("it ended");
      } else {
        return WorkerAnswer.parse(line.get());
      }
    }
  }

  private WorkerLostException lost(String how) throws IOException, InterruptedException {
    boolean ended = process.waitFor(TICK_MILLIS, TimeUnit.MILLISECONDS);
    String code = ended ? " with exit code " + process.exitValue() : "";
    return new WorkerLostException(how + code + ": " + ProcessOutput.tail(errors));
  }

  /**
   * Kills the process and waits until it is gone with its connections. It has no state to save, and
   * a JVM that exits by itself waits 0.3 s for threads in native code.
   */
  @Override
  public void close() {
    Children.kill(process);
    try {
      process.waitFor(END.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      ProcessOutput.delete(errors);
    }
  }
}
