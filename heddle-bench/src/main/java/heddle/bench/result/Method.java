package heddle.bench.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** How the clients of a race are run. */
public enum Method {
  WARM("a JVM for each client, warmed up once for each cell"),
  FRESH("a JVM for each client, cell and round");

  private final String description;

  Method(String description) {
    this.description = description;
  }

  /** The name in options and reports. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Such as {@code warm: a JVM for each client, warmed up once for each cell}. */
  public String description() {
    return label() + ": " + description;
  }
}
