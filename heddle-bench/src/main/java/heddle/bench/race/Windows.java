package heddle.bench.race;

import heddle.bench.experiment.Cell;
import heddle.bench.experiment.Times;
import heddle.bench.load.Extent;
import java.time.Duration;

/**
 * How long the parts of a race last.
 *
 * @param leastWarmUp how long a client is warmed up in a closed cell at least
 * @param mostWarmUp and at most, where its compilers do not come to rest
 * @param settle at the start of each run, once each fresh caller has had an answer
 * @param measured the part of a run that counts
 * @param openWarmUp before an open load is measured
 * @param open the measured part of an open load
 */
record Windows(
    Duration leastWarmUp,
    Duration mostWarmUp,
    Duration settle,
    Duration measured,
    Duration openWarmUp,
    Duration open) {

  /** The last requests of the open load are answered a second after they were sent. */
  static final Duration OPEN_TAIL = Duration.ofSeconds(1);

  /** What a run costs beside its load until that is known. */
  static final Duration RUN_OVERHEAD = Duration.ofMillis(150);

  /** The open load of the published size: 11,000 requests, the first 1,000 of them warm-up. */
  private static final Windows FULL = ofSeconds(2, 20, 0.5, 10, 1, 10);

  /** Its warm-up is longer than an answer takes, so that all connections are open after it. */
  private static final double SMALL_OPEN_WARM_UP = 1.2;

  private static final double SMALL_OPEN = 0.8;

  /** Of the time that there is for the closed cells, where every warm-up takes its share. */
  private static final double WARM_UP_SHARE = 0.75;

  /** What a warm-up may take is so many even shares: most come to rest sooner. */
  static final double WARM_UP_EXCESS = 1.6;

  private static final double LEAST_WARM_UP = 0.4;
  private static final double MOST_WARM_UP = 8;
  private static final double SETTLE = 0.1;
  private static final double SHORTEST_MEASURED = 0.4;
  private static final double LONGEST_MEASURED = 2;
  private static final double TOOL = 0.9;

  /**
   * What is still to come.
   *
   * @param warmUps how many closed cells are still to be warmed up for, by all clients together
   * @param closed windows of clients in closed cells
   * @param open runs of clients in an open cell
   * @param tools runs of load generators in C
   */
  record Outstanding(int warmUps, int closed, int open, int tools) {}

  static Windows scaled(double scale) {
    return ofSeconds(
        Math.min(1, scale) * seconds(FULL.leastWarmUp),
        scale * seconds(FULL.mostWarmUp),
        Math.min(1, 5 * scale) * seconds(FULL.settle),
        scale * seconds(FULL.measured),
        scale * seconds(FULL.openWarmUp),
        scale * seconds(FULL.open));
  }

  /**
   * The longest windows with which what is to come fits into the time that is left; never so short
   * that nothing can be measured, even where many rounds then overrun the budget.
   *
   * @param overhead what a run costs beside its load
   */
  static Windows fitting(Duration left, Outstanding coming, Duration overhead) {
    double forRuns = forClosed(left, coming, overhead) * (1 - WARM_UP_SHARE);
    double each = forRuns / Math.max(1, coming.closed) - seconds(overhead) - SETTLE;
    double measured = Math.clamp(each, SHORTEST_MEASURED, LONGEST_MEASURED);
    Windows windows =
        ofSeconds(LEAST_WARM_UP, MOST_WARM_UP, SETTLE, measured, SMALL_OPEN_WARM_UP, SMALL_OPEN);
    return windows.withWarmUpFitting(left, coming, overhead);
  }

  /**
   * The same windows with as much time for the next warm-up as there is: what one leaves over goes
   * to those that follow.
   */
  Windows withWarmUpFitting(Duration left, Outstanding coming, Duration overhead) {
    double runs = coming.closed * (seconds(settle) + seconds(measured) + seconds(overhead));
    double share = (forClosed(left, coming, overhead) - runs) / Math.max(1, coming.warmUps);
    double most = Math.clamp(WARM_UP_EXCESS * share, LEAST_WARM_UP, MOST_WARM_UP);
    return new Windows(leastWarmUp, duration(most), settle, measured, openWarmUp, open);
  }

  private static double forClosed(Duration left, Outstanding coming, Duration overhead) {
    double beside = seconds(overhead);
    double open = SMALL_OPEN_WARM_UP + SMALL_OPEN + seconds(OPEN_TAIL) + beside;
    return seconds(left) - open * coming.open - (TOOL + beside) * coming.tools;
  }

  /** What precedes the measured part of a run, in the same run. */
  Duration before(Cell cell) {
    Times own = cell.times();
    if (own == null) {
      return cell.isClosed() ? settle : openWarmUp;
    }
    // What is left of a closed load's warm-up: the callers are fresh ones.
    return cell.isClosed() ? settle : own.warmUp();
  }

  /** The measured part. */
  Extent extent(Cell cell) {
    Times own = cell.times();
    return own == null ? new Extent.Lasting(cell.isClosed() ? measured : open) : own.extent();
  }

  /** How long a client is warmed up at most before the runs of a cell. */
  Duration mostWarmUp(Cell cell) {
    Times own = cell.times();
    if (own == null) {
      return mostWarmUp;
    }
    return own.callers() == null ? own.warmUp() : own.callers().most();
  }

  /** How long a client's run in a cell lasts, its overhead aside. */
  Duration run(Cell cell) {
    Times own = cell.times();
    Duration counted = own != null ? own.expected() : cell.isClosed() ? measured : open;
    return cell.isClosed()
        ? settle.plus(counted).multipliedBy(cell.windowsARound())
        : before(cell).plus(counted).plus(OPEN_TAIL);
  }

  private static Windows ofSeconds(
      double leastWarmUp,
      double mostWarmUp,
      double settle,
      double measured,
      double openWarmUp,
      double open) {
    return new Windows(
        duration(leastWarmUp),
        duration(mostWarmUp),
        duration(settle),
        duration(measured),
        duration(openWarmUp),
        duration(open));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
