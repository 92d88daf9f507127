package heddle.bench.load;

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
 */
public record LoadShape(Pace pace, Extent extent, Duration warmUp, Strand strand) {

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
  }

  /** On virtual threads and without a warm-up. */
  public LoadShape(Pace pace, Extent extent) {
    this(pace, extent, Duration.ZERO, Strand.VIRTUAL);
  }
}
