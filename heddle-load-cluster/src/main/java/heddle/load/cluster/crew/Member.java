package heddle.load.cluster.crew;

import heddle.load.LoadProgress;
import heddle.load.cluster.process.ProcessOutput;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The parent's handle on one process of a crew. Safe for use by many threads.
 *
 * <p>It is not killed when this JVM ends: if the user stops a load, it still has to report its
 * result. It ends by itself when its standard input does.
 */
final class Member implements AutoCloseable {

  private final Process process;
  private final Path errors;
  private final Writer orders;

  /** Released when it is ready to begin, or has ended. */
  private final CountDownLatch settled = new CountDownLatch(1);

  /** Released when all its output was read. */
  private final CountDownLatch ended = new CountDownLatch(1);

  private volatile boolean isReady;
  private volatile @Nullable LoadProgress progress;
  private volatile @Nullable String result;
  private volatile String trouble = "";

  private Member(Process process, Path errors) {
    this.process = process;
    this.errors = errors;
    this.orders = process.outputWriter(StandardCharsets.UTF_8);
  }

  static Member start(List<String> command) throws IOException {
    Path errors = ProcessOutput.temporary(".err");
    boolean isStarted = false;
    try {
      Process process =
          new ProcessBuilder(command).redirectError(errors.toFile()).start();
      isStarted = true;
      Member member = new Member(process, errors);
      Thread.ofVirtual().name("crew-member").start(member::listen);
      return member;
    } finally {
      if (!isStarted) {
        ProcessOutput.delete(errors);
      }
    }
  }

  private void listen() {
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (@Nullable String line = in.readLine(); line != null; line = in.readLine()) {
        take(line);
      }
    } catch (IOException | IllegalArgumentException e) {
      trouble = String.valueOf(e.getMessage());
      process.destroyForcibly();
    } finally {
      settled.countDown();
      ended.countDown();
    }
  }

  private void take(String line) {
    switch (MemberLine.parse(line)) {
      case MemberLine.Ready _ -> {
        isReady = true;
        settled.countDown();
      }
      case MemberLine.Going(LoadProgress how) -> progress = how;
      case MemberLine.Result(String json) -> result = json;
    }
  }

  /** Waits until it is ready to begin; returns false after the timeout. */
  boolean awaitReady(long millis) throws InterruptedException {
    return settled.await(millis, TimeUnit.MILLISECONDS) && isReady;
  }

  /** Waits until its output has ended; returns false after the timeout. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Does nothing if the process has ended; reading its result will report that. */
  private void tell(String order) {
    try {
      write(order);
    } catch (IOException e) {
      trouble = trouble.isEmpty() ? "it takes no orders" : trouble;
    }
  }

  private void write(String order) throws IOException {
    // In one write, because a Writer locks for each.
    orders.write(order + "\n");
    orders.flush();
  }

  void begin(Instant time) {
    tell(Orders.START + time);
  }

  void stop() {
    tell(Orders.STOP);
  }

  /** Its progress; empty before the first report. */
  Optional<LoadProgress> progress() {
    return Optional.ofNullable(progress);
  }

  /** Its result; empty if it ended without one. */
  Optional<String> result() {
    return Optional.ofNullable(result);
  }

  /** How it ended, and its last output. */
  String lastWords() throws IOException, InterruptedException {
    boolean isOver = process.waitFor(1, TimeUnit.SECONDS);
    String how = isOver ? "it ended with exit code " + process.exitValue() : "it did not end";
    String said = trouble.isEmpty() ? "" : " (" + trouble + ")";
    return how + said + ": " + ProcessOutput.tail(errors);
  }

  /** Ends it at once if it is still running. */
  @Override
  public void close() {
    process.destroyForcibly();
    ProcessOutput.delete(errors);
  }
}
