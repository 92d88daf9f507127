package heddle.bench.driver;

import java.util.Locale;

/** How a client is set up for a race. */
public enum Profile {
  /** Its limits are raised to the load, as its documentation advises for that. */
  TUNED,
  /** As it comes. */
  DEFAULTS;

  /** The name in options and reports: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
