package heddle.testkit;

import java.time.Duration;
import java.util.Random;

/**
 * How a simulated network behaves.
 *
 * @param maxReadBytes the most that a listener gets in one call
 * @param maxWriteBytes the most that a write hands over before it waits to become writable again
 * @param sendBuffer how many bytes of one direction may be written and not yet read
 * @param settle real time that a world must stay quiet before virtual time moves on
 * @param deterministic whether the seed also decides which thread runs when
 */
record SimOptions(
    long seed,
    Duration minLatency,
    Duration maxLatency,
    int maxReadBytes,
    int maxWriteBytes,
    int sendBuffer,
    boolean virtualTime,
    Duration settle,
    boolean deterministic) {

  long latencyNanos(Random random) {
    long min = minLatency.toNanos();
    long max = maxLatency.toNanos();
    return min == max ? min : min + random.nextLong(max - min + 1);
  }

  /** At least 1 and at most {@code limit}: all of it when the network does not cut into pieces. */
  static int piece(int limit, int available, Random random) {
    return limit >= Pipe.WHOLE ? available : Math.min(available, 1 + random.nextInt(limit));
  }
}
