package heddle.bench.load;

import heddle.bench.schedule.Segment;
import heddle.bench.schedule.Strand;
import java.time.Duration;

/**
 * A load without what it is sent to.
 *
 * @param pace when requests are sent
 * @param extent how long the measured part goes on
 * @param warmUp how long the load runs before anything is counted; zero for none. A closed load
 *     waits for the first answer of each caller besides; one that is held has none
 * @param strand what carries the requests of a blocking client
 * @param segment which share of the load this process makes; all else is said of the whole load
 */
public record LoadShape(Pace pace, Extent extent, Duration warmUp, Strand strand, Segment segment) {

  /** Checks that these go together; throws {@link IllegalArgumentException} when not. */
  public LoadShape {
    if (warmUp.isNegative()) {
      throw new IllegalArgumentException("the warm-up must not be negative: " + warmUp);
    }
    if (pace instanceof Pace.Held) {
      if (!(extent instanceof Extent.Lasting)) {
        throw new IllegalArgumentException(
            "requests are held for a time: give a duration, not a number of requests");
      }
      if (!warmUp.isZero()) {
        throw new IllegalArgumentException("requests that are held have no warm-up");
      }
    }
    pace.requireEnough(segment);
    if (extent instanceof Extent.Requests(long count)) {
      segment.require(count, "requests");
    }
  }

  /** By one process alone. */
  public LoadShape(Pace pace, Extent extent, Duration warmUp, Strand strand) {
    this(pace, extent, warmUp, strand, Segment.WHOLE);
  }

  /** On virtual threads and without a warm-up. */
  public LoadShape(Pace pace, Extent extent) {
    this(pace, extent, Duration.ZERO, Strand.VIRTUAL);
  }

  /** The same, of which this process makes another share. */
  public LoadShape withSegment(Segment share) {
    return new LoadShape(pace, extent, warmUp, strand, share);
  }

  /**
   * In how many seconds an open load sends so many requests: the last one stands for the interval
   * that follows it.
   *
   * @param sent how many this process has sent
   * @param seconds from the beginning until it has sent the last
   */
  public double secondsOfSending(long sent, double seconds) {
    if (!(pace instanceof Pace.Open open) || !open.rate().isConstant() || sent == 0) {
      return seconds;
    }
    double interval = segment.count() / open.rate().peak();
    return Math.max(seconds + interval, sent * interval);
  }

  /** The same for so long and without a warm-up. */
  LoadShape window(Extent time) {
    return new LoadShape(pace, time, Duration.ZERO, strand, segment);
  }

  /**
   * What this process makes of the pace. The rate of an open load stays that of the whole load: its
   * starts are numbered, and each segment sends those that are its own.
   */
  public Pace ownPace() {
    return pace.share(segment);
  }

  /**
   * How many requests this process sends, where a number was asked for. Each segment of a batched
   * load sends its share of each batch.
   */
  public Extent ownExtent() {
    return switch (extent) {
      case Extent.Lasting lasting -> lasting;
      case Extent.Requests(long count) ->
        switch (pace) {
          case Pace.Batch(int size) ->
            new Extent.Requests(count / size * segment.share(size) + segment.share(count % size));
          case Pace.Closed _, Pace.Open _, Pace.Held _ -> new Extent.Requests(segment.share(count));
        };
    };
  }
}
