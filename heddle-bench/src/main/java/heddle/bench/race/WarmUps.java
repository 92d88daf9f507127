package heddle.bench.race;

import heddle.bench.contender.Contender;
import heddle.bench.contender.JvmContender;
import heddle.bench.experiment.Cell;
import heddle.bench.load.LoadPlan;
import heddle.bench.load.Pace;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Makes clients warm and sees that they are so in their first run. Used by one thread. */
final class WarmUps {

  /**
   * Whoever has had nothing to do for so long may do next what it has never done: a timer of
   * Heddle's that fires once in 15 s, or a new connection in place of one that was idle, makes
   * HotSpot throw away all that it has compiled of a call.
   */
  private static final Duration LONG_IDLE = Duration.ofSeconds(15);

  private static final Duration LONGEST_FRESHENING = Duration.ofMillis(2_500);

  private static final Duration BRIEF = Duration.ofSeconds(4);

  private final Watch watch;
  private final Set<Contender> rehearsed = new HashSet<>();

  /** When those got warm that have not run since then, on {@link System#nanoTime}. */
  private final Map<Contender, Long> warmSince = new HashMap<>();

  WarmUps(Watch watch) {
    this.watch = watch;
  }

  /** Before the runs of a cell. */
  void warmUp(Entry entry, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    warmUp(entry, windows, windows.mostWarmUp(entry.cell()), tick);
    warmSince.put(entry.contender(), System.nanoTime());
  }

  private static void warmUp(Entry entry, Windows windows, Duration most, Runnable tick)
      throws IOException, InterruptedException {
    LoadPlan before = entry.warmUp(windows);
    if (before != null && entry.contender() instanceof JvmContender client) {
      client.warmUp(before, most, tick);
      settle(entry);
    }
  }

  /**
   * Before a run that counts. Who has waited long for the first one since it was warm gets so once
   * more; and once in the life of its JVM it makes a run that does not count, as the first times of
   * all that is asked of it, of the server and of this JVM cost more than a load.
   *
   * @return whether anything was to be done
   */
  boolean freshen(Entry entry, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    Long since = warmSince.remove(entry.contender());
    if (since == null || !isBrief(entry.cell(), windows)) {
      return false;
    }
    boolean isStale = System.nanoTime() - since > LONG_IDLE.toNanos();
    if (isStale) {
      warmUp(entry, windows, LONGEST_FRESHENING, tick);
    }
    boolean isFirst = rehearsed.add(entry.contender());
    if (isFirst) {
      watch.measure(entry, 0, windows, tick);
      settle(entry);
    }
    return isFirst || isStale;
  }

  /** What is new in a batch is new in each, and in what lasts long all this is little. */
  private static boolean isBrief(Cell cell, Windows windows) {
    return !(cell.pace() instanceof Pace.Batch) && windows.run(cell).compareTo(BRIEF) <= 0;
  }

  /** The client has another JVM. */
  void forget(Contender contender) {
    rehearsed.remove(contender);
    warmSince.remove(contender);
  }

  /** A JVM that stays compiles on, and would do so on the core of the next one. */
  static void settle(Entry entry) throws IOException, InterruptedException {
    if (entry.contender() instanceof JvmContender client) {
      client.settle();
    }
  }
}
