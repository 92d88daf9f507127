package heddle.bench.load;

import java.time.Duration;

/** How long a load goes on, its warm-up not counted. */
public sealed interface Extent {

  /**
   * Until this many requests were sent.
   *
   * @param count at least 1
   */
  record Requests(long count) implements Extent {

    /** Checks the range; throws {@link IllegalArgumentException} when it is left. */
    public Requests {
      if (count < 1) {
        throw new IllegalArgumentException("requests must be at least 1, not " + count);
      }
    }
  }

  /**
   * For this long.
   *
   * @param duration above zero
   */
  record Lasting(Duration duration) implements Extent {

    /** Checks the range; throws {@link IllegalArgumentException} when it is left. */
    public Lasting {
      if (duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException("a load must last longer than zero, not " + duration);
      }
    }
  }
}
