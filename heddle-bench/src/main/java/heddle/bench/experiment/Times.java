package heddle.bench.experiment;

import heddle.bench.load.Extent;
import java.time.Duration;

/**
 * How long a cell takes.
 *
 * @param warmUp before anything counts: of a closed load the most, in which it ends as soon as the
 *     compilers have come to rest
 * @param extent of the measured part
 * @param expected how long that will take
 */
public record Times(Duration warmUp, Extent extent, Duration expected) {

  /** So long. */
  public static Times lasting(Duration warmUp, Duration measured) {
    return new Times(warmUp, new Extent.Lasting(measured), measured);
  }
}
