package heddle.bench.driver;

import java.util.Locale;

/** How a client or a server is configured for a race. */
public enum Profile {
  /** Its limits are raised to the load, as its documentation advises. */
  TUNED,
  /** Its default configuration. */
  DEFAULTS;

  /** The name in options and reports: lower case. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The profile with this label.
   *
   * @throws IllegalArgumentException if there is none; the message says what is allowed
   */
  public static Profile of(String label) {
    for (Profile each : values()) {
      if (each.label().equals(label)) {
        return each;
      }
    }
    throw new IllegalArgumentException("a profile is tuned or defaults, not " + label);
  }
}
