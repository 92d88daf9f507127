package heddle.load;

import java.time.Duration;

/** How long a load runs, without its warm-up. */
public sealed interface Extent {

  /**
   * Until this many requests were sent.
   *
   * @param count at least 1
   */
  record Requests(long count) implements Extent {

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
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

    /** Throws {@link IllegalArgumentException} if a value is out of range. */
    public Lasting {
      if (duration.isNegative() || duration.isZero()) {
        throw new IllegalArgumentException("a load needs a positive duration, not " + duration);
      }
    }
  }
}
