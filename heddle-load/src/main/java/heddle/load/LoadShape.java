package heddle.load;

import heddle.load.schedule.Segment;
import heddle.load.schedule.Strand;
import java.time.Duration;

/**
 * A load without its target.
 *
 * @param pace when requests are sent
 * @param extent how long the measured part lasts
 * @param warmUp how long the load runs before anything is counted; zero for none. A closed load
 *     also waits for the first answer of each caller; a load that holds requests has none
 * @param strand the kind of threads for the requests of a blocking client
 * @param segment the share of the load that this process makes; everything else describes the whole
 *     load
 */
public record LoadShape(Pace pace, Extent extent, Duration warmUp, Strand strand, Segment segment) {

  /** Throws {@link IllegalArgumentException} if the values contradict each other. */
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

  /** Creates a load of one process. */
  public LoadShape(Pace pace, Extent extent, Duration warmUp, Strand strand) {
    this(pace, extent, warmUp, strand, Segment.WHOLE);
  }

  /** Creates a load on virtual threads, without a warm-up. */
  public LoadShape(Pace pace, Extent extent) {
    this(pace, extent, Duration.ZERO, Strand.VIRTUAL);
  }

  /** A copy with another segment. */
  public LoadShape withSegment(Segment share) {
    return new LoadShape(pace, extent, warmUp, strand, share);
  }

  /**
   * The time in which an open load sends its requests, including the interval after the last one.
   *
   * @param sent the number of requests that this process has sent
   * @param seconds the time until it has sent the last
   */
  public double secondsOfSending(long sent, double seconds) {
    if (!(pace instanceof Pace.Open open) || !open.rate().isConstant() || sent == 0) {
      return seconds;
    }
    double interval = segment.count() / open.rate().peak();
    return Math.max(seconds + interval, sent * interval);
  }

  /** A copy with this extent and without a warm-up. */
  LoadShape window(Extent time) {
    return new LoadShape(pace, time, Duration.ZERO, strand, segment);
  }

  /**
   * This process's share of the pace. The rate of an open load stays that of the whole load: its
   * starts are numbered, and each segment sends its share of them.
   */
  public Pace ownPace() {
    return pace.share(segment);
  }

  /**
   * The extent for this process, with its share of the requests if the extent is a number. Each
   * segment of a batched load sends its share of each batch.
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
