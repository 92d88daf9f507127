package heddle.bench.race;

import heddle.bench.race.Windows.Outstanding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps a race within its time and estimates the remaining time. Used by one thread. */
final class Timeline {

  /** The average share of the longest warm-up that a warm-up takes. */
  private static final double USUAL_WARM_UP = 1 / Windows.WARM_UP_EXCESS;

  /** The time to start and to end a JVM. */
  private static final Duration JVM = Duration.ofMillis(1_200);

  private final List<Step> steps;
  private final @Nullable Double scale;
  private final Duration budget;
  private final long begin;
  private final LongSupplier nanoTime;
  private final Set<Entry> dropped = new HashSet<>();
  private Windows windows = Windows.scaled(1);
  private final StepTimes warmUps = new StepTimes();
  private final StepTimes clients = new StepTimes();
  private final StepTimes tools = new StepTimes();
  private int done;
  private long stepBegin;

  /** When the last step ended: a step's actual duration includes what comes before its start. */
  private long lastEnd;

  private Duration beside = Duration.ZERO;
  private int runs;

  /** The planned and the actual duration of the finished steps of one kind. */
  private static final class StepTimes {
    private long planned;
    private long taken;

    void add(Duration plan, long nanos) {
      planned += plan.toNanos();
      taken += nanos;
    }

    /** Returns how long a step with this planned duration will probably take. */
    Duration expected(Duration plan) {
      return planned == 0
          ? plan
          : Duration.ofNanos((long) (plan.toNanos() * ((double) taken / planned)));
    }
  }

  /**
   * Creates a timeline for these steps.
   *
   * @param begin when the race began, as {@code nanoTime} returned it
   * @param nanoTime a clock such as {@link System#nanoTime}
   */
  Timeline(
      List<Step> steps,
      @Nullable Double scale,
      Duration budget,
      long begin,
      LongSupplier nanoTime) {
    this.steps = new ArrayList<>(steps);
    this.scale = scale;
    this.budget = budget;
    this.begin = begin;
    this.nanoTime = nanoTime;
    this.stepBegin = nanoTime.getAsLong();
    this.lastEnd = stepBegin;
  }

  /**
   * Sets the windows for the remaining steps: the same for all clients of a cell, and estimated for
   * the rest of the race.
   */
  void startCell() {
    windows = scale == null
        ? Windows.fitting(budget.minus(elapsed()), outstanding(), overhead())
        : Windows.scaled(scale);
  }

  /**
   * The windows for the next step. The longest warm-up depends on how long the last ones have
   * taken.
   */
  Windows windows() {
    if (scale == null) {
      windows = windows.withWarmUpFitting(budget.minus(elapsed()), outstanding(), overhead());
    }
    return windows;
  }

  private Outstanding outstanding() {
    int warmUps = 0;
    int closed = 0;
    int open = 0;
    int tools = 0;
    for (Step step : left()) {
      if (step.isWarmUp()) {
        warmUps++;
      } else if (!step.entry().isJvm()) {
        tools++;
      } else if (step.entry().cell().isClosed()) {
        closed += step.entry().cell().windowsARound();
      } else {
        open++;
      }
    }
    return new Outstanding(warmUps, closed, open, tools);
  }

  private List<Step> left() {
    return steps.subList(done, steps.size()).stream()
        .filter(step -> !isDropped(step.entry()))
        .toList();
  }

  /** The next step; null at the end. */
  @Nullable
  Step next() {
    return done < steps.size() ? steps.get(done) : null;
  }

  /**
   * Adds steps before the next one if that leaves every client in the cells that follow time for
   * its warm-up and its first rounds.
   */
  boolean insert(List<Step> more) {
    int following = (int) left().stream().map(Step::entry).distinct().count();
    Duration end = elapsed().plus(Windows.reserve(following));
    for (Step each : more) {
      end = end.plus(planned(each));
    }
    if (end.compareTo(budget) > 0) {
      return false;
    }
    steps.addAll(done, more);
    return true;
  }

  /** Removes the remaining steps of the entry. */
  void drop(Entry entry) {
    dropped.add(entry);
  }

  boolean isDropped(Entry entry) {
    return dropped.contains(entry);
  }

  /**
   * Whether there is no time for this round: every client is measured once in every cell before any
   * is measured again.
   */
  boolean isShortOfTimeFor(Step step) {
    if (scale != null || step.round() < 2) {
      return false;
    }
    Duration first = planned(step);
    for (Step each : left()) {
      if (each.round() < 2) {
        first = first.plus(planned(each));
      }
    }
    return elapsed().plus(first).compareTo(budget) > 0;
  }

  void startStep() {
    stepBegin = nanoTime.getAsLong();
  }

  void skipStep() {
    done++;
  }

  void endStep(Step step) {
    long now = nanoTime.getAsLong();
    times(step).add(planned(step), now - lastEnd);
    lastEnd = now;
    boolean counts =
        step.entry().isJvm() && !step.isWarmUp() && !step.isFresh() && !isDropped(step.entry());
    if (counts) {
      Duration took = Duration.ofNanos(now - stepBegin);
      beside = beside.plus(took.minus(windows.run(step.entry().cell())));
      runs += step.entry().cell().windowsARound();
    }
    done++;
  }

  /** The average overhead of a run so far, without its load. */
  private Duration overhead() {
    return runs == 0 ? Windows.RUN_OVERHEAD : beside.dividedBy(runs);
  }

  Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - begin);
  }

  int done() {
    return done;
  }

  int total() {
    return steps.size();
  }

  private StepTimes times(Step step) {
    if (step.isWarmUp()) {
      return warmUps;
    }
    return step.entry().isJvm() ? clients : tools;
  }

  /** Estimates the remaining time from the durations of the finished steps. */
  Duration timeLeft() {
    Duration left = Duration.ZERO;
    for (Step step : left()) {
      left = left.plus(times(step).expected(planned(step)));
    }
    Duration now = left.minus(Duration.ofNanos(nanoTime.getAsLong() - lastEnd));
    return now.isNegative() ? Duration.ZERO : now;
  }

  private Duration planned(Step step) {
    if (step.isWarmUp()) {
      return usualWarmUp(step).plus(overhead());
    }
    if (step.isFresh()) {
      Duration warmUp = step.entry().cell().isWarmedUp() ? usualWarmUp(step) : Duration.ZERO;
      return JVM.plus(warmUp).plus(windows.run(step.entry().cell())).plus(overhead());
    }
    return step.entry().isJvm()
        ? windows.run(step.entry().cell()).plus(overhead())
        : Duration.ofSeconds(1).plus(overhead());
  }

  private Duration usualWarmUp(Step step) {
    long most = windows.mostWarmUp(step.entry().cell()).toNanos();
    return Duration.ofNanos(
        Math.max(windows.leastWarmUp().toNanos(), (long) (USUAL_WARM_UP * most)));
  }
}
