package heddle.bench.experiment;

import heddle.load.Extent;
import heddle.load.Pace;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a cell takes.
 *
 * @param warmUp the time before measurement; for a closed load the maximum, since its warm-up ends
 *     when the compilers are idle
 * @param extent the measured part
 * @param expected how long that will take
 * @param callers a closed load before the warm-up of another load; null if there is none
 */
public record Times(Duration warmUp, Extent extent, Duration expected, @Nullable Callers callers) {

  /**
   * A closed load that runs before another one, on all cores, so that a JVM that has just started
   * is not overloaded before its code is compiled.
   *
   * @param count how many there are
   * @param most the longest time, if the compilers do not become idle before
   */
  public record Callers(int count, Duration most) {

    Pace pace() {
      return new Pace.Closed(count);
    }
  }

  /** Times of these durations, without callers before. */
  public static Times lasting(Duration warmUp, Duration measured) {
    return new Times(warmUp, new Extent.Lasting(measured), measured, null);
  }
}
