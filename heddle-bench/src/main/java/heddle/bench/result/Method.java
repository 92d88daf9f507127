package heddle.bench.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How the clients of a race are run. */
public enum Method {
  /** One JVM per client, which lives through the race and is warmed up once per cell. */
  WARM,
  /** One JVM per client, cell and round, warmed up each time. */
  FRESH;

  /** The name in options and reports. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
