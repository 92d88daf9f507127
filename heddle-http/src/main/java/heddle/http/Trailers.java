package heddle.http;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The fields that follow a message's body (RFC 9110 section 6.5). They are known only once the body
 * has been read, or written, to its end.
 *
 * <pre>{@code
 * CheckedInputStream content = new CheckedInputStream(file, new CRC32C());
 * Request request = Request.builder(url)
 *     .method(Method.PUT)
 *     .header("Trailer", "X-Checksum")
 *     .body(Body.of(content))
 *     .trailers(Trailers.of(
 *         () -> Headers.of("X-Checksum", Long.toHexString(content.getChecksum().getValue()))))
 *     .build();
 * }</pre>
 */
public final class Trailers {
  private static final Trailers NONE = new Trailers(Headers::empty, Headers.empty());

  private final Supplier<Headers> source;
  private final @Nullable Headers known;

  private Trailers(Supplier<Headers> source, @Nullable Headers known) {
    this.source = source;
    this.known = known;
  }

  /** No fields. */
  public static Trailers none() {
    return NONE;
  }

  /** Fields that are known already. */
  public static Trailers of(Headers headers) {
    return new Trailers(() -> headers, headers);
  }

  /**
   * Fields that {@code source} supplies at the end of the body; each {@link #get} calls it. The
   * sender calls it once, after the body's stream has come to its end and before it is closed, on
   * the thread that has read it; a body held in memory is at its end from the beginning. Its
   * exception ends the call or the response; a call's deadline interrupts it.
   */
  public static Trailers of(Supplier<Headers> source) {
    return new Trailers(source, null);
  }

  /** The fields, if they are known before the end of the body; otherwise null. */
  public @Nullable Headers known() {
    return known;
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
