package heddle.bench.driver;

import java.net.URI;

/**
 * What a driver is told before it starts.
 *
 * @param target any URI on the server that will be asked: its scheme, host and port count
 * @param callers how many exchanges run at once at most, and so how many connections the tuned
 *     profile may open; at least 1
 * @param profile whether limits are raised to {@code callers}
 */
public record DriverConfig(URI target, int callers, Profile profile) {

  /** Checks the ranges; throws {@link IllegalArgumentException} when one is left. */
  public DriverConfig {
    if (!"http".equals(target.getScheme()) || target.getHost() == null) {
      throw new IllegalArgumentException("a driver needs an absolute http URI, not " + target);
    }
    if (callers < 1) {
      throw new IllegalArgumentException("callers must be at least 1, not " + callers);
    }
  }

  /** Whether limits are to be raised to the load. */
  public boolean isTuned() {
    return profile == Profile.TUNED;
  }

  /** The port of the target, 80 where the URI names none. */
  public int port() {
    return target.getPort() == -1 ? 80 : target.getPort();
  }
}
