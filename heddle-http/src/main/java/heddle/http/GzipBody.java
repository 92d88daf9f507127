package heddle.http;

import heddle.http.io.CompressingInput;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * A body compressed with gzip (RFC 1952) while it is sent. It has its content's media type, is of
 * unknown length, and replayable if its content is. The message must say {@code Content-Encoding:
 * gzip}; {@link #compress} adds that field. Few servers take compressed requests unless configured
 * to; the others answer 415 (RFC 9110 section 12.5.3).
 *
 * <pre>{@code
 * Request post = Request.post("https://example.com/logs", Body.of(Path.of("today.log")));
 * Response response = client.send(GzipBody.compress(post));
 * }</pre>
 */
public final class GzipBody extends Body {
  private final Body content;

  private GzipBody(Body content) {
    this.content = content;
  }

  /** This body, compressed. */
  public static GzipBody of(Body content) {
    return new GzipBody(content);
  }

  /**
   * The request with its content compressed and a Content-Encoding field; unchanged if it has no
   * content.
   *
   * @throws IllegalArgumentException if it has a content coding already
   */
  public static Request compress(Request request) {
    if (request.body().length() == 0) {
      return request;
    }
    Headers headers = request.headers();
    if (headers.contains(HeaderName.CONTENT_ENCODING)) {
      throw new IllegalArgumentException("the request's content is coded already, as "
          + headers.all(HeaderName.CONTENT_ENCODING)
          + ": compress the content before other codings, or not at all");
    }
    Headers coded = headers.toBuilder()
        .remove(HeaderName.CONTENT_LENGTH)
        .add(HeaderName.CONTENT_ENCODING, "gzip")
        .build();
    return request.toBuilder().headers(coded).body(of(request.body())).build();
  }

  /** {@link #UNKNOWN}: the compressed length is known only after compressing. */
  @Override
  public long length() {
    return UNKNOWN;
  }

  @Override
  public boolean isReplayable() {
    return content.isReplayable();
  }

  /** As the content; then what was read of that is compressed and sent at once. */
  @Override
  public boolean isDuplex() {
    return content.isDuplex();
  }

  @Override
  public @Nullable MediaType mediaType() {
    return content.mediaType();
  }

  @Override
  public InputStream stream() throws IOException {
    return new CompressingInput(content.stream(), content.isDuplex());
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
