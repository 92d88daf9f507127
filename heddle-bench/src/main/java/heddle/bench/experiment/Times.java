package heddle.bench.experiment;

import heddle.bench.load.Extent;
import heddle.bench.load.Pace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a cell takes.
 *
 * @param warmUp before anything counts: of a closed load the most, in which it ends as soon as the
 *     compilers have come to rest
 * @param extent of the measured part
 * @param expected how long that will take
 * @param callers who ask and wait for their answers before the warm-up of another load; null where
 *     there are none
 */
public record Times(Duration warmUp, Extent extent, Duration expected, @Nullable Callers callers) {

  /**
   * A closed load that goes before another one, on all cores, so that a JVM that has just started
   * is not asked for more than it can do until it is compiled.
   *
   * @param count how many there are
   * @param most for how long, where the compilers do not come to rest before
   */
  public record Callers(int count, Duration most) {

    Pace pace() {
      return new Pace.Closed(count);
    }
  }

  /** So long, with nobody before. */
  public static Times lasting(Duration warmUp, Duration measured) {
    return new Times(warmUp, new Extent.Lasting(measured), measured, null);
  }
}
