package heddle.bench.race;

import heddle.bench.experiment.Cell;
import heddle.bench.experiment.Times;
import heddle.load.Extent;
import java.time.Duration;

/**
 * How long the parts of a race last.
 *
 * @param leastWarmUp the shortest warm-up of a client in a closed cell
 * @param mostWarmUp the longest one, if its compilers do not become idle
 * @param settle the time at the start of each run, after each fresh caller has had an answer
 * @param measured the part of a run that counts
 * @param openWarmUp the warm-up of an open load
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

  /** The assumed overhead of a run, until it is measured. */
  static final Duration RUN_OVERHEAD = Duration.ofMillis(150);

  /** The open load of the published size: 11,000 requests, the first 1,000 of them warm-up. */
  private static final Windows FULL = ofSeconds(2, 20, 0.5, 10, 1, 10);

  /** Longer than an answer takes, so that all connections are open after the warm-up. */
  private static final double SMALL_OPEN_WARM_UP = 1.2;

  private static final double SMALL_OPEN = 0.8;

  /** The time for a client in a cell: its warm-up, and more rounds than it needs if all is calm. */
  private static final Duration OF_ENTRY = Duration.ofMillis(15_400);

  /** The part of it for the warm-up and the first rounds, which no other cell may take. */
  private static final Duration LEAST_OF_ENTRY = Duration.ofSeconds(13);

  /** Seven clients and a tool in two cells, less one that does not know HTTP/2. */
  static final int USUAL_ENTRIES = 15;

  /** The share of the time for closed cells that warm-ups may take. */
  private static final double WARM_UP_SHARE = 0.75;

  /** A warm-up may take this many times its even share, because most end sooner. */
  static final double WARM_UP_EXCESS = 1.6;

  private static final double LEAST_WARM_UP = 0.4;

  /** A client that has waited for its turn is warmed up for another 2.5 s. */
  private static final double MOST_WARM_UP = 11;

  private static final double SETTLE = 0.1;
  private static final double SHORTEST_MEASURED = 0.4;

  /** More rounds decide better than longer ones. */
  private static final double LONGEST_MEASURED = 0.6;

  private static final double TOOL = 0.9;

  /**
   * The remaining work.
   *
   * @param warmUps the remaining warm-ups in closed cells, of all clients together
   * @param closed the remaining windows of clients in closed cells
   * @param open the remaining runs of clients in open cells
   * @param tools the remaining runs of load generators in C
   */
  record Outstanding(int warmUps, int closed, int open, int tools) {}

  /** How long a race without a scale may take. */
  static Duration budget(int entries) {
    return OF_ENTRY.multipliedBy(entries);
  }

  /** The part of the budget that is left to clients in the cells that follow. */
  static Duration reserve(int entries) {
    return LEAST_OF_ENTRY.multipliedBy(entries);
  }

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
   * The longest windows with which the remaining work fits into the remaining time; never too short
   * to measure anything, even if many rounds then overrun the budget.
   *
   * @param overhead the overhead of a run without its load
   */
  static Windows fitting(Duration left, Outstanding coming, Duration overhead) {
    double all = forClosed(left, coming, overhead);
    double forRuns = all - Math.min(WARM_UP_SHARE * all, MOST_WARM_UP * coming.warmUps);
    double each = forRuns / Math.max(1, coming.closed) - seconds(overhead) - SETTLE;
    double measured = Math.clamp(each, SHORTEST_MEASURED, LONGEST_MEASURED);
    Windows windows =
        ofSeconds(LEAST_WARM_UP, MOST_WARM_UP, SETTLE, measured, SMALL_OPEN_WARM_UP, SMALL_OPEN);
    return windows.withWarmUpFitting(left, coming, overhead);
  }

  /**
   * A copy with as much time for the next warm-up as possible: time that a warm-up does not use
   * goes to those that follow.
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

  /** The part of a run before the measured part. */
  Duration before(Cell cell) {
    Times own = cell.times();
    if (own == null) {
      return cell.isClosed() ? settle : openWarmUp;
    }
    // A closed load is warm already; only its fresh callers must settle.
    return cell.isClosed() ? settle : own.warmUp();
  }

  /** The measured part. */
  Extent extent(Cell cell) {
    Times own = cell.times();
    return own == null ? new Extent.Lasting(cell.isClosed() ? measured : open) : own.extent();
  }

  /** The longest warm-up of a client before the runs of a cell. */
  Duration mostWarmUp(Cell cell) {
    Times own = cell.times();
    if (own == null) {
      return mostWarmUp;
    }
    return own.callers() == null ? own.warmUp() : own.callers().most();
  }

  /** The length of a client's run in a cell, without its overhead. */
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
