package heddle.verify.soak;

import heddle.testkit.SimNetwork;
import heddle.testwatch.PinnedThreads;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import jdk.jfr.consumer.RecordedEvent;
import org.jspecify.annotations.Nullable;

/**
 * Runs many seeds and ends with a line {@code seeds N, exchanges M, broken B}.
 *
 * <p>A seed that breaks an invariant prints the command that runs it again. With {@code --add-opens
 * java.base/java.lang=ALL-UNNAMED}, which the build sets, the seed decides everything that a
 * {@linkplain SimNetwork.Builder#deterministic deterministic world} decides, including which thread
 * runs when: the calls of a seed end the same way again, in the same order and at the same times,
 * in any JVM. {@code -Dheddle.soak.hashes=true} prints a hash of that for each seed. After any
 * change of the code a seed may take another course. Threads switch where they park, yield, write,
 * wake each other or hand the loop a task, not between any two instructions: narrower races are for
 * the tests of the classes they are in.
 */
public final class Soak {
  /** How many exchanges a seed makes, unless {@code heddle.soak.exchanges} says otherwise. */
  private static final int EXCHANGES = Integer.getInteger("heddle.soak.exchanges", 100);

  /** Real time after which a seed counts as stuck; usually a seed takes a second. */
  private static final long STUCK_SECONDS = Long.getLong("heddle.soak.stuck", 60);

  /** Whether to print a hash of each seed's course, to compare it with that of another JVM. */
  private static final boolean HASHES = Boolean.getBoolean("heddle.soak.hashes");

  private static final Logger LOG = Logger.getLogger("heddle");

  private final PrintStream out;
  private final long first;
  private final long count;
  private final int maxBroken;
  private final AtomicLong next;
  private final ReentrantLock lock = new ReentrantLock();

  // The next four are guarded by lock.
  private long seeds;
  private long exchanges;
  private int broken;
  private long firstBroken = -1;
  private final Map<SoakCall.Outcome, Integer> outcomes = new EnumMap<>(SoakCall.Outcome.class);

  private Soak(long first, long count, int maxBroken, PrintStream out) {
    this.first = first;
    this.count = count;
    this.maxBroken = maxBroken;
    this.out = out;
    this.next = new AtomicLong(first);
  }

  /**
   * The result of a run.
   *
   * @param firstBroken the lowest seed that broke an invariant; -1 if none did
   * @param answered how many exchanges had a response whose content was right
   */
  public record Report(
      long seeds, long exchanges, int broken, long firstBroken, int answered, int failed) {
    @Override
    public String toString() {
      return "seeds " + seeds + ", exchanges " + exchanges + ", broken " + broken;
    }
  }

  /**
   * Runs seeds on as many threads as there are processors.
   *
   * @param maxBroken how many may break an invariant before no more are started
   */
  public static Report run(long first, long count, int maxBroken, PrintStream out)
      throws InterruptedException {
    return new Soak(first, count, maxBroken, out).run();
  }

  /** Takes the number of seeds and the first of them: {@code Soak 200 0}. */
  public static void main(String... args) throws InterruptedException {
    long count = args.length > 0 ? Long.parseLong(args[0]) : 200;
    long first = args.length > 1 ? Long.parseLong(args[1]) : 0;
    Report report = run(first, count, 1, System.out);
    System.out.println(report);
    if (report.broken() > 0) {
      System.exit(1);
    }
  }

  private Report run() throws InterruptedException {
    Level before = LOG.getLevel();
    // Failures in these worlds are intended, and a handler that all share would slow them down.
    LOG.setLevel(Level.OFF);
    try {
      return runAll();
    } finally {
      LOG.setLevel(before);
    }
  }

  private Report runAll() throws InterruptedException {
    try (PinnedThreads pinned = PinnedThreads.watch(true)) {
      // Alone, so that classes are loaded before several threads need them.
      runSeed(next.getAndIncrement());
      Thread[] workers = new Thread[Runtime.getRuntime().availableProcessors()];
      for (int i = 0; i < workers.length; i++) {
        workers[i] = Thread.ofPlatform().name("heddle-soak-" + i).start(this::work);
      }
      for (Thread worker : workers) {
        worker.join();
      }
      List<RecordedEvent> seen = pinned.stop();
      if (!seen.isEmpty()) {
        String what = seen.size() + " times a virtual thread was pinned, first here: ";
        broke(first, new BrokenInvariant(what + seen.getFirst()), "one of the seeds from here on");
      }
    }
    lock.lock();
    try {
      return new Report(
          seeds,
          exchanges,
          broken,
          firstBroken,
          outcomes.getOrDefault(SoakCall.Outcome.ANSWERED, 0),
          outcomes.getOrDefault(SoakCall.Outcome.FAILED, 0));
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    for (long seed = next.getAndIncrement(); seed < first + count && goesOn(); ) {
      runSeed(seed);
      seed = next.getAndIncrement();
    }
  }

  private boolean goesOn() {
    lock.lock();
    try {
      return broken < maxBroken;
    } finally {
      lock.unlock();
    }
  }

  private void runSeed(long seed) {
    SoakSeed each = new SoakSeed(seed, EXCHANGES);
    FutureTask<SoakSeed.Result> task = new FutureTask<>(each::run);
    Thread.ofPlatform().daemon().name("heddle-soak-seed-" + seed).start(task);
    SoakSeed.Result result = null;
    try {
      result = await(task);
    } catch (ExecutionException e) {
      broke(seed, e.getCause() == null ? e : e.getCause(), each.toString());
    } catch (TimeoutException e) {
      String where = SoakSeed.describe(each.world().network().threadsLeft());
      broke(seed, new BrokenInvariant("stuck for " + STUCK_SECONDS + " s:" + where), "" + each);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    count(result);
    if (HASHES && result != null) {
      out.println("seed " + seed + ": " + result.hash());
    }
  }

  /** Waits in steps of a second: a halt of the JVM or its machine counts as one step. */
  private static SoakSeed.Result await(FutureTask<SoakSeed.Result> task)
      throws InterruptedException, ExecutionException, TimeoutException {
    for (long left = STUCK_SECONDS; left > 1; left--) {
      try {
        return task.get(1, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        // Another second.
      }
    }
    return task.get(1, TimeUnit.SECONDS);
  }

  private void count(SoakSeed.@Nullable Result result) {
    lock.lock();
    try {
      seeds++;
      exchanges += EXCHANGES;
      if (result != null) {
        result.outcomes().forEach((outcome, times) -> outcomes.merge(outcome, times, Integer::sum));
      }
    } finally {
      lock.unlock();
    }
  }

  private void broke(long seed, Throwable why, String what) {
    lock.lock();
    try {
      broken++;
      firstBroken = firstBroken < 0 ? seed : Math.min(firstBroken, seed);
      out.println("broken: " + what);
      out.println("  " + why.getMessage());
      if (!(why instanceof BrokenInvariant) || why.getCause() != null) {
        why.printStackTrace(out);
      }
      out.println("again: ./mvnw verify -Psoak -pl heddle-verify -am -Dheddle.soak.seeds=1"
          + " -Dheddle.soak.exchanges=" + EXCHANGES + " -Dheddle.soak.first=" + seed);
    } finally {
      lock.unlock();
    }
  }
}
