package heddle.bench.crew;

import heddle.bench.load.LoadProgress;
import heddle.bench.process.ProcessOutput;
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
 * One process of a crew as the one that has started it sees it. Safe for use by many threads.
 *
 * <p>It is no child that is killed before this JVM ends: when the user stops a load, it has its
 * result still to tell. It ends by itself when its standard input does.
 */
final class Member implements AutoCloseable {

  private final Process process;
  private final Path errors;
  private final Writer orders;

  /** Open until it is ready to begin, or has ended. */
  private final CountDownLatch settled = new CountDownLatch(1);

  /** Open until all that it said was read. */
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

  /** Whether it is ready to begin within the time given. */
  boolean awaitReady(long millis) throws InterruptedException {
    return settled.await(millis, TimeUnit.MILLISECONDS) && isReady;
  }

  /** Whether it has said all it will within the time given. */
  boolean awaitEnd(long millis) throws InterruptedException {
    return ended.await(millis, TimeUnit.MILLISECONDS);
  }

  /** Has no effect on one that is gone: that it is gone is found where its result is asked for. */
  private void tell(String order) {
    try {
      write(order);
    } catch (IOException e) {
      trouble = trouble.isEmpty() ? "it takes no orders" : trouble;
    }
  }

  private void write(String order) throws IOException {
    // One write: a Writer locks for the length of it.
    orders.write(order + "\n");
    orders.flush();
  }

  void begin(Instant time) {
    tell(Orders.START + time);
  }

  void stop() {
    tell(Orders.STOP);
  }

  /** How far it is; empty before it said so. */
  Optional<LoadProgress> progress() {
    return Optional.ofNullable(progress);
  }

  /** What it has measured; empty where it ended without a word. */
  Optional<String> result() {
    return Optional.ofNullable(result);
  }

  /** How it ended, and what it said last. */
  String lastWords() throws IOException, InterruptedException {
    boolean isOver = process.waitFor(1, TimeUnit.SECONDS);
    String how = isOver ? "it ended with exit code " + process.exitValue() : "it did not end";
    String said = trouble.isEmpty() ? "" : " (" + trouble + ")";
    return how + said + ": " + ProcessOutput.tail(errors);
  }

  /** Ends it at once where it has not ended. */
  @Override
  public void close() {
    process.destroyForcibly();
    ProcessOutput.delete(errors);
  }
}
