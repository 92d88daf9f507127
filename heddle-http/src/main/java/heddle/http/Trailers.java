package heddle.http;

import java.util.function.Supplier;

/**
 * The fields that follow a message's body (RFC 9110 section 6.5). They are known only once the body
 * has been read, or written, to its end.
 */
public final class Trailers {
  private static final Trailers NONE = new Trailers(Headers::empty);

  private final Supplier<Headers> source;

  private Trailers(Supplier<Headers> source) {
    this.source = source;
  }

  /** No fields. */
  public static Trailers none() {
    return NONE;
  }

  /** Fields that are known already. */
  public static Trailers of(Headers headers) {
    return new Trailers(() -> headers);
  }

  /** Fields that {@code source} can tell at the end of the body; it is asked at each get. */
  public static Trailers of(Supplier<Headers> source) {
    return new Trailers(source);
  }

  /**
   * The fields.
   *
   * @throws IllegalStateException if the message was received and its body is not yet at its end
   */
  public Headers get() {
    return source.get();
  }
}
