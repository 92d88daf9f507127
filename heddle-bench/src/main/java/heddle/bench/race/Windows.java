package heddle.bench.race;

import java.time.Duration;

/**
 * How long the parts of a race last.
 *
 * @param warmUp of each JVM in each closed cell, before the rounds
 * @param settle at the start of each run: the client opens its connections anew
 * @param measured the part of a run that counts
 * @param openWarmUp before an open load is measured
 * @param open the measured part of an open load
 */
record Windows(
    Duration warmUp, Duration settle, Duration measured, Duration openWarmUp, Duration open) {

  /** The last requests of the open load are answered a second after they were sent. */
  static final Duration OPEN_TAIL = Duration.ofSeconds(1);

  /** What a run costs beside its load until that is known. */
  static final Duration RUN_OVERHEAD = Duration.ofMillis(150);

  /** What the start of a JVM costs. */
  static final Duration START_UP = Duration.ofMillis(700);

  /** The open load of the published size: 11,000 requests, the first 1,000 of them warm-up. */
  private static final Windows FULL = ofSeconds(5, 0.5, 10, 1, 10);

  /** Its warm-up is longer than an answer takes, so that all connections are open after it. */
  private static final double SMALL_OPEN_WARM_UP = 1.3;

  private static final double SMALL_OPEN = 1.2;

  /** Of the time that a client has for a closed cell. */
  private static final double WARM_UP_SHARE = 0.42;

  private static final double SHORTEST_WARM_UP = 0.5;
  private static final double LONGEST_WARM_UP = 4;
  private static final double SETTLE_SHARE = 0.4;
  private static final double LONGEST_SETTLE = 0.5;
  private static final double SHORTEST_MEASURED = 0.25;
  private static final double LONGEST_MEASURED = 2;

  /**
   * What is still to come.
   *
   * @param warmUps how many closed cells are still to be warmed up for, by all clients together
   * @param closed runs of clients in closed cells
   * @param open runs of clients in an open cell
   * @param tools runs of load generators in C
   */
  record Outstanding(int warmUps, int closed, int open, int tools) {}

  static Windows scaled(double scale) {
    return ofSeconds(
        scale * seconds(FULL.warmUp),
        Math.min(1, 10 * scale) * seconds(FULL.settle),
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
  static Windows fitting(Duration budget, Outstanding coming, Duration overhead) {
    double beside = seconds(overhead);
    double open = SMALL_OPEN_WARM_UP + SMALL_OPEN + seconds(OPEN_TAIL) + beside;
    double left = seconds(budget) - open * coming.open - (1 + beside) * coming.tools;
    double forWarmUps = coming.warmUps == 0 ? 0 : WARM_UP_SHARE * left;
    double warmUp =
        Math.clamp(forWarmUps / Math.max(1, coming.warmUps), SHORTEST_WARM_UP, LONGEST_WARM_UP);
    double each = (left - warmUp * coming.warmUps) / Math.max(1, coming.closed) - beside;
    double settle = Math.clamp(SETTLE_SHARE * each, 0.1, LONGEST_SETTLE);
    double measured = Math.clamp(each - settle, SHORTEST_MEASURED, LONGEST_MEASURED);
    return ofSeconds(warmUp, settle, measured, SMALL_OPEN_WARM_UP, SMALL_OPEN);
  }

  /** How long a client's run in a cell lasts, its overhead aside. */
  Duration run(Cell cell) {
    return cell.isClosed() ? settle.plus(measured) : openWarmUp.plus(open).plus(OPEN_TAIL);
  }

  private static Windows ofSeconds(
      double warmUp, double settle, double measured, double openWarmUp, double open) {
    return new Windows(
        duration(warmUp),
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
