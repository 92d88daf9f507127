package heddle.bench.driver;

import java.util.Locale;

/** How a client is configured for a race. */
public enum Profile {
  /** Its limits are raised to the load, as its documentation advises. */
  TUNED,
  /** The client's default configuration. */
  DEFAULTS;

  /** The name in options and reports: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
