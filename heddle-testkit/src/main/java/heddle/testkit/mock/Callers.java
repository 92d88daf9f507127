package heddle.testkit.mock;

import java.util.Optional;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;

/** Concurrent callers, for tests of shared objects. */
public final class Callers {
  private Callers() {}

  /** What each caller does. */
  @FunctionalInterface
  public interface Task {
    /**
     * Runs the task.
     *
     * @param random used only by this caller; the same in each run of the test
     */
    void run(Random random) throws Exception;
  }

  /**
   * Runs a task concurrently, each run on a virtual thread, and waits for all, or until one fails;
   * then the others are interrupted.
   *
   * @param count how many, at least 1
   * @throws AssertionError if one fails; it names the caller's seed, and has the failure as its
   *     cause
   * @throws InterruptedException if the calling thread is interrupted; then so are the callers
   * @throws IllegalArgumentException if {@code count} is below 1
   */
  public static void atOnce(int count, Task task) throws InterruptedException {
    if (count < 1) {
      throw new IllegalArgumentException("there must be 1 caller or more, not " + count);
    }
    BlockingQueue<Optional<AssertionError>> ends = new LinkedBlockingQueue<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        int seed = i;
        threads.execute(() -> ends.add(run(task, seed)));
      }
      try {
        for (int i = 0; i < count; i++) {
          ends.take().ifPresent(Callers::raise);
        }
      } finally {
        threads.shutdownNow();
      }
    }
  }

  private static void raise(AssertionError failure) {
    throw failure;
  }

  private static Optional<AssertionError> run(Task task, int seed) {
    try {
      task.run(new Random(seed));
      return Optional.empty();
    } catch (Exception | Error e) {
      return Optional.of(
          new AssertionError("the caller with the seed " + seed + " has failed: " + e, e));
    }
  }
}
