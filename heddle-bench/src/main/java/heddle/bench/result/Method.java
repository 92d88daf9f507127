package heddle.bench.result;

import java.util.Locale;

/** How the clients of a race are run. */
public enum Method {
  /** A JVM for each client, which lives through the race and is warmed up once for each cell. */
  WARM,
  /** A JVM for each client, cell and round, warmed up each time. */
  FRESH;

  /** As options and reports have it. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
