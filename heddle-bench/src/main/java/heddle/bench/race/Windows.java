package heddle.bench.race;

import java.time.Duration;

/**
 * How long the runs of a round warm up and measure.
 *
 * @param closedWarmUp a closed load before those of a JVM that are measured
 * @param closed the measured part of each closed load
 * @param openWarmUp before an open load is measured
 * @param open the measured part of an open load
 */
record Windows(Duration closedWarmUp, Duration closed, Duration openWarmUp, Duration open) {

  /** The last requests of the open load are answered a second after they were sent. */
  static final Duration OPEN_TAIL = Duration.ofSeconds(1);

  /** Before each closed load is measured: the client opens its connections anew. */
  static final Duration SETTLE = Duration.ofMillis(500);

  /** What a run costs beside its load until that is known: the start and the end of a JVM. */
  static final Duration START_UP = Duration.ofMillis(700);

  /** The open load of the published size: 11,000 requests, the first 1,000 of them warm-up. */
  private static final Windows FULL = ofSeconds(10, 10, 1, 10);

  /** Its warm-up is longer than an answer takes, so that all connections are open after it. */
  private static final Windows SMALL = ofSeconds(0, 0, 2, 1.5);

  /** Of the time that a JVM has for its closed loads. */
  private static final double WARM_UP_SHARE = 0.72;

  private static final double LONGEST_CLOSED = 20;
  private static final double SHORTEST_CLOSED = 3;

  /** wrk needs no warm-up; where it takes part, nobody is measured for longer than it. */
  private static final double LONGEST_WRK = 2;

  /**
   * Runs that are still to come.
   *
   * @param closed of a JVM under closed loads
   * @param cells how many closed loads a JVM runs
   * @param open of a JVM under an open load
   * @param wrk of wrk
   */
  record Outstanding(int closed, int cells, int open, int wrk) {}

  /** How long a JVM takes for so many closed loads. */
  Duration closedJvm(int cells) {
    return closedWarmUp.plus(SETTLE.plus(closed).multipliedBy(cells));
  }

  static Windows scaled(double scale) {
    return ofSeconds(
        scale * seconds(FULL.closedWarmUp),
        scale * seconds(FULL.closed),
        scale * seconds(FULL.openWarmUp),
        scale * seconds(FULL.open));
  }

  /**
   * The longest windows with which the runs fit into the time that is left; never so short that a
   * JVM is not warm, even where many rounds then overrun the budget.
   */
  static Windows fitting(Duration budget, Outstanding runs, Duration startUp) {
    double start = seconds(startUp);
    double open = seconds(SMALL.openWarmUp.plus(SMALL.open).plus(OPEN_TAIL)) + start;
    double settle = seconds(SETTLE) * runs.cells;
    double left = seconds(budget)
        - open * runs.open
        - (start + settle) * runs.closed
        - LONGEST_WRK * runs.wrk;
    double each = Math.clamp(left / Math.max(1, runs.closed), SHORTEST_CLOSED, LONGEST_CLOSED);
    double measured = (1 - WARM_UP_SHARE) * each / Math.max(1, runs.cells);
    return ofSeconds(
        WARM_UP_SHARE * each,
        runs.wrk == 0 ? measured : Math.min(measured, LONGEST_WRK),
        seconds(SMALL.openWarmUp),
        seconds(SMALL.open));
  }

  private static Windows ofSeconds(
      double closedWarmUp, double closed, double openWarmUp, double open) {
    return new Windows(
        duration(closedWarmUp), duration(closed), duration(openWarmUp), duration(open));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }

  private static Duration duration(double seconds) {
    return Duration.ofNanos((long) (seconds * 1e9));
  }
}
