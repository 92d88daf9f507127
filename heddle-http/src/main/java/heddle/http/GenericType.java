package heddle.http;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;

/**
 * A type with parameters, which a class literal cannot name. Immutable.
 *
 * <pre>{@code
 * List<User> users = response.as(new GenericType<List<User>>() {});
 * }</pre>
 */
public abstract class GenericType<T> {
  private final Type type;

  /**
   * For an anonymous subclass that says what the type is.
   *
   * @throws IllegalStateException if it does not, as {@code new GenericType() {}}
   */
  protected GenericType() {
    if (!(getClass().getGenericSuperclass() instanceof ParameterizedType own)) {
      throw new IllegalStateException("write the type: new GenericType<List<String>>() {}");
    }
    type = own.getActualTypeArguments()[0];
  }

  /** The type with its arguments. */
  public final Type type() {
    return type;
  }

  @Override
  public final String toString() {
    return type.getTypeName();
  }
}
