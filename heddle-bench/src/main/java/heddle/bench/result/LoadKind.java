package heddle.bench.result;

import java.util.Locale;

/** When the requests of a cell are sent. */
public enum LoadKind {
  /** Each caller sends its next request when the last one is answered. */
  CLOSED,
  /** At a rate, whatever becomes of the answers. */
  OPEN,
  /** So many at once, and again when all have ended. */
  BATCH,
  /** So many at once, none of which is answered before the last has arrived. */
  HELD,
  /** One, the first of a JVM. */
  FIRST,
  /** As {@link #CLOSED}, to see what it costs the server: servers are compared, not clients. */
  SERVED;

  /** Its name in files. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * The kind of that name.
   *
   * @throws IllegalArgumentException when there is none
   */
  public static LoadKind of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
