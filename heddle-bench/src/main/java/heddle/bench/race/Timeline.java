package heddle.bench.race;

import heddle.bench.race.Windows.Outstanding;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Keeps a race within its time and says how much of it is left. Used by one thread. */
final class Timeline {

  private final List<Run> runs;
  private final @Nullable Double scale;
  private final Duration budget;
  private final long begin = System.nanoTime();
  private Windows windows = Windows.scaled(1);
  private int done;
  private long runBegin = begin;
  private Duration extra = Duration.ZERO;
  private int started;

  Timeline(List<Run> runs, @Nullable Double scale, Duration budget) {
    this.runs = runs;
    this.scale = scale;
    this.budget = budget;
  }

  /**
   * Sets the windows for the runs that are left: the same for all clients of a round, and for the
   * rest of the race as it looks now.
   */
  Windows startRound() {
    windows = scale == null
        ? Windows.fitting(budget.minus(elapsed()), outstanding(), startUp())
        : Windows.scaled(scale);
    return windows;
  }

  private Outstanding outstanding() {
    int closed = 0;
    int cells = 0;
    int open = 0;
    int wrk = 0;
    for (Run run : runs.subList(done, runs.size())) {
      if (run.isWrk()) {
        wrk++;
      } else if (run.isClosed()) {
        closed++;
        cells = run.cells().size();
      } else {
        open++;
      }
    }
    return new Outstanding(closed, cells, open, wrk);
  }

  List<Run> runs() {
    return runs;
  }

  void startRun() {
    runBegin = System.nanoTime();
  }

  void endRun(Run run) {
    if (!run.isWrk()) {
      Duration load = run.load(windows);
      extra = extra.plus(Duration.ofNanos(System.nanoTime() - runBegin)).minus(load);
      started++;
    }
    done++;
  }

  /** What a JVM's start and end have cost so far, on average. */
  private Duration startUp() {
    return started == 0 ? Windows.START_UP : extra.dividedBy(started);
  }

  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - begin);
  }

  int done() {
    return done;
  }

  int total() {
    return runs.size();
  }

  Duration left() {
    Duration left = Duration.ZERO;
    for (Run run : runs.subList(done, runs.size())) {
      left = left.plus(run.planned(windows, startUp()));
    }
    Duration now = left.minus(Duration.ofNanos(System.nanoTime() - runBegin));
    return now.isNegative() ? Duration.ZERO : now;
  }
}
