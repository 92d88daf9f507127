package heddle.load.record;

import java.time.Duration;

/**
 * The cost of a load in the process that made it, the client under test included.
 *
 * @param wall how long it was watched
 * @param cpu CPU time of the process
 * @param cores how many cores it may use
 * @param collecting the time of the garbage collectors
 * @param stalled the total time of stalls of 20 ms and more, in which a sleeping thread woke too
 *     late: collections, a machine that gave the CPU to others, a suspended process
 * @param longestStall the longest of these
 */
public record GeneratorCost(
    Duration wall,
    Duration cpu,
    int cores,
    Duration collecting,
    Duration stalled,
    Duration longestStall) {

  /** The share of the cores' time that it used, 0 to 1. */
  public double cpuShare() {
    return wall.isZero() ? 0 : (double) cpu.toNanos() / wall.toNanos() / cores;
  }

  /** The share of the time in which it was stalled, 0 to 1. */
  public double stalledShare() {
    return wall.isZero() ? 0 : (double) stalled.toNanos() / wall.toNanos();
  }
}
