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
import java.util.function.LongSupplier;

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
  private final LongSupplier clock;
  private final Set<Contender> rehearsed = new HashSet<>();

  /** When those got warm that have not run since then. */
  private final Map<Contender, Long> warmSince = new HashMap<>();

  /**
   * What is to be done before a run.
   *
   * @param warmUp whether the client gets warm once more
   * @param rehearsal whether it then makes a run that does not count
   */
  record Due(boolean warmUp, boolean rehearsal) {

    private static final Due NOTHING = new Due(false, false);
  }

  /** With a clock such as {@link System#nanoTime}. */
  WarmUps(Watch watch, LongSupplier clock) {
    this.watch = watch;
    this.clock = clock;
  }

  /** Before the runs of a cell. */
  void warmUp(Entry entry, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    warmUp(entry, windows, windows.mostWarmUp(entry.cell()), tick);
    warm(entry.contender());
  }

  /** It is so now. */
  void warm(Contender contender) {
    warmSince.put(contender, clock.getAsLong());
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
   * Before a run that counts.
   *
   * @return whether anything was to be done
   */
  boolean freshen(Entry entry, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    Due due = due(entry.contender(), isBrief(entry.cell(), windows));
    if (due.warmUp) {
      warmUp(entry, windows, LONGEST_FRESHENING, tick);
    }
    if (due.rehearsal) {
      watch.measure(entry, 0, windows, tick);
      settle(entry);
    }
    return due.warmUp || due.rehearsal;
  }

  /**
   * What there is to do before the next run. Who has waited long for the first one since it was
   * warm gets so once more. Once in the life of its JVM it makes a run that does not count: the
   * first times of all that is asked of it, of the server and of this JVM cost more than a load.
   *
   * @param isBrief whether that could be seen in the run
   */
  Due due(Contender contender, boolean isBrief) {
    Long since = warmSince.remove(contender);
    if (since == null || !isBrief) {
      return Due.NOTHING;
    }
    boolean isStale = clock.getAsLong() - since > LONG_IDLE.toNanos();
    return new Due(isStale, rehearsed.add(contender));
  }

  /** What is new in a batch is new in each, and in what lasts long all this is little. */
  private static boolean isBrief(Cell cell, Windows windows) {
    return !(cell.pace() instanceof Pace.Batch) && windows.run(cell).compareTo(BRIEF) <= 0;
  }

  /** The client has another JVM, which gets warm before it runs. */
  void forget(Contender contender) {
    rehearsed.remove(contender);
  }

  /** A JVM that stays compiles on, and would do so on the core of the next one. */
  static void settle(Entry entry) throws IOException, InterruptedException {
    if (entry.contender() instanceof JvmContender client) {
      client.settle();
    }
  }
}
