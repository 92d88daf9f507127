package heddle.load;

import heddle.load.schedule.Segment;
import heddle.load.schedule.Starts;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * The starts of an open load: which belong to this segment, which are warm-up, which count, and
 * when it is over. Each segment computes all starts of the whole load, so that they agree. Not
 * thread-safe.
 */
final class Schedule {

  private final Starts starts;
  private final long warmUpNanos;
  private final Extent extent;
  private final Segment segment;
  private long number;
  private long counted;

  Schedule(Pace.Open pace, Extent extent, Duration warmUp, Segment segment) {
    this.starts = pace.arrivals().starts(pace.rate().after(warmUp), pace.seed());
    this.warmUpNanos = warmUp.toNanos();
    this.extent = extent;
    this.segment = segment;
  }

  /** Nanoseconds from the start of the load to the next request, or -1 if there is none. */
  long next() {
    while (true) {
      OptionalLong next = starts.next();
      if (next.isEmpty() || isOver(next.getAsLong())) {
        return -1;
      }
      if (counts(next.getAsLong())) {
        counted++;
      }
      if (segment.has(number++)) {
        return next.getAsLong();
      }
    }
  }

  private boolean isOver(long offset) {
    return switch (extent) {
      case Extent.Requests(long count) -> counted >= count;
      case Extent.Lasting(Duration duration) -> offset - warmUpNanos >= duration.toNanos();
    };
  }

  /** Whether a request at this offset belongs to the measured part. */
  boolean counts(long offsetNanos) {
    return offsetNanos >= warmUpNanos;
  }
}
