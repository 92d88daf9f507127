package heddle.bench.record;

import java.time.Duration;

/**
 * What a load took of the process that made it, the client under test included.
 *
 * @param wall how long it was watched
 * @param cpu CPU time of the process
 * @param cores how many it may use
 * @param collecting how long the collectors were at work
 * @param stalled how long in all a thread that asked to be woken was not, in pieces of 20 ms and
 *     more: collections, a machine that gave the CPU to others, a suspended process
 * @param longestStall the longest of these
 */
public record GeneratorCost(
    Duration wall,
    Duration cpu,
    int cores,
    Duration collecting,
    Duration stalled,
    Duration longestStall) {

  /** Which share of the cores' time it used, 0 to 1. */
  public double cpuShare() {
    return wall.isZero() ? 0 : (double) cpu.toNanos() / wall.toNanos() / cores;
  }

  /** For which share of the time it stood still, 0 to 1. */
  public double stalledShare() {
    return wall.isZero() ? 0 : (double) stalled.toNanos() / wall.toNanos();
  }
}
