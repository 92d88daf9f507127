package heddle.bench.load;

import heddle.bench.load.Pace.Arrivals;
import java.time.Duration;
import java.util.SplittableRandom;

/** The instants at which the requests of an open load are meant to start. Not thread-safe. */
final class Schedule {

  /** Poisson arrivals are the same in every run, so that clients face the same bursts. */
  private static final long SEED = 20_150_217;

  private final double intervalNanos;
  private final Arrivals arrivals;
  private final long warmUpNanos;
  private final Extent extent;
  private final SplittableRandom random = new SplittableRandom(SEED);
  private double offset;
  private long counted;

  Schedule(Pace.Open pace, Extent extent, Duration warmUp) {
    this.intervalNanos = 1e9 / pace.requestsPerSecond();
    this.arrivals = pace.arrivals();
    this.warmUpNanos = warmUp.toNanos();
    this.extent = extent;
  }

  /** Nanoseconds from the start of the load to the next request, or -1 when there is none. */
  long next() {
    long now = (long) offset;
    boolean over =
        switch (extent) {
          case Extent.Requests(long count) -> counted >= count;
          case Extent.Lasting(Duration duration) -> now - warmUpNanos >= duration.toNanos();
        };
    if (over) {
      return -1;
    }
    if (counts(now)) {
      counted++;
    }
    offset += interval();
    return now;
  }

  /** Whether a request at this offset belongs to the measured part. */
  boolean counts(long offsetNanos) {
    return offsetNanos >= warmUpNanos;
  }

  private double interval() {
    return switch (arrivals) {
      case CONSTANT -> intervalNanos;
      case POISSON -> -Math.log(1 - random.nextDouble()) * intervalNanos;
    };
  }
}
