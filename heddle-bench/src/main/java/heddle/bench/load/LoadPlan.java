package heddle.bench.load;

import java.net.URI;
import java.time.Duration;

/**
 * A load: GET requests of one URI.
 *
 * @param uri absolute, with the scheme http
 * @param pace when requests are sent
 * @param extent how long the measured part goes on
 * @param warmUp how long the load runs before anything is counted; zero for none
 */
public record LoadPlan(URI uri, Pace pace, Extent extent, Duration warmUp) {

  /** Checks the values; throws {@link IllegalArgumentException} when one cannot be used. */
  public LoadPlan {
    if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException(
          "a load needs an absolute URL such as http://127.0.0.1:8080/hello, not " + uri);
    }
    if (warmUp.isNegative()) {
      throw new IllegalArgumentException("the warm-up must not be negative: " + warmUp);
    }
  }

  /** A load without a warm-up. */
  public LoadPlan(URI uri, Pace pace, Extent extent) {
    this(uri, pace, extent, Duration.ZERO);
  }
}
