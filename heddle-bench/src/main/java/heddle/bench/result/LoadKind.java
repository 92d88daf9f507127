package heddle.bench.result;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** When the requests of a cell are sent. */
public enum LoadKind {
  /** Each caller sends its next request when the last one is answered. */
  CLOSED,
  /** Requests are sent at a rate, no matter when answers arrive. */
  OPEN,
  /** Batches of concurrent requests; each batch begins when the one before has ended. */
  BATCH,
  /** Concurrent requests, none of which is answered before the last has arrived. */
  HELD,
  /** Only the first request of a JVM. */
  FIRST,
  /** Like {@link #CLOSED}, to compare servers and not clients. */
  SERVED;

  /** Its name in files. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
