package heddle.server.spi;

import java.util.Objects;

/**
 * The key of a value that filters and handlers attach to an {@link Exchange} for one another. Two
 * keys with the same name are different keys; declare each as a constant.
 *
 * @param <T> the type of the value
 */
public final class Attribute<T> {
  private final String name;
  private final Class<T> type;

  private Attribute(String name, Class<T> type) {
    this.name = Objects.requireNonNull(name, "name");
    this.type = Objects.requireNonNull(type, "type");
  }

  /**
   * Creates a key.
   *
   * @param name for logs
   */
  public static <T> Attribute<T> of(String name, Class<T> type) {
    return new Attribute<>(name, type);
  }

  /** The type of the values. */
  public Class<T> type() {
    return type;
  }

  /** The name. */
  @Override
  public String toString() {
    return name;
  }
}
