package heddle.bench.race;

import heddle.bench.contender.Contender;
import heddle.bench.contender.JvmContender;
import heddle.bench.experiment.Cell;
import heddle.load.LoadPlan;
import heddle.load.Pace;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/** Warms clients up, and makes sure that they are warm in their first run. Used by one thread. */
final class WarmUps {

  /**
   * A client that was idle for this long may then run code for the first time: a timer of Heddle
   * that fires every 15 s, or a new connection in place of an idle one, makes HotSpot discard all
   * compiled code of a call.
   */
  private static final Duration LONG_IDLE = Duration.ofSeconds(15);

  private static final Duration LONGEST_FRESHENING = Duration.ofMillis(2_500);

  private static final Duration BRIEF = Duration.ofSeconds(4);

  private final Watch watch;
  private final LongSupplier clock;
  private final Set<Contender> rehearsed = new HashSet<>();

  /** When contenders were warmed up that have not run since then. */
  private final Map<Contender, Long> warmSince = new HashMap<>();

  /**
   * What to do before a run.
   *
   * @param warmUp whether the client is warmed up once more
   * @param rehearsal whether it then makes a run that does not count
   */
  record Due(boolean warmUp, boolean rehearsal) {

    private static final Due NOTHING = new Due(false, false);
  }

  /** Creates warm-ups with a clock such as {@link System#nanoTime}. */
  WarmUps(Watch watch, LongSupplier clock) {
    this.watch = watch;
    this.clock = clock;
  }

  /** Warms up before the runs of a cell. */
  void warmUp(Entry entry, Windows windows, Runnable tick)
      throws IOException, InterruptedException {
    warmUp(entry, windows, windows.mostWarmUp(entry.cell()), tick);
    warm(entry.contender());
  }

  /** Records that the contender is warm. */
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
   * Prepares a run that counts.
   *
   * @return whether there was anything to do
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
   * Decides what to do before the next run. A client that has waited long since its warm-up is
   * warmed up again. Once per JVM it makes a run that does not count, because the code around a run
   * executes for the first time in the client, in the server and in this JVM.
   *
   * @param isBrief whether that would be visible in the run
   */
  Due due(Contender contender, boolean isBrief) {
    Long since = warmSince.remove(contender);
    if (since == null || !isBrief) {
      return Due.NOTHING;
    }
    boolean isStale = clock.getAsLong() - since > LONG_IDLE.toNanos();
    return new Due(isStale, rehearsed.add(contender));
  }

  /** In batches and in long runs these effects are small. */
  private static boolean isBrief(Cell cell, Windows windows) {
    return !(cell.pace() instanceof Pace.Batch) && windows.run(cell).compareTo(BRIEF) <= 0;
  }

  /** Records that the client has a new JVM, which is warmed up before it runs. */
  void forget(Contender contender) {
    rehearsed.remove(contender);
  }

  /** Waits for the compilers of a JVM that stays, which would use the core of the next client. */
  static void settle(Entry entry) throws IOException, InterruptedException {
    if (entry.contender() instanceof JvmContender client) {
      client.settle();
    }
  }
}
