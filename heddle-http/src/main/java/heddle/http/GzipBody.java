package heddle.http;

import heddle.http.io.EncodingInput.Encoding;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses content with gzip (RFC 1952) while it is sent. Few servers take compressed requests
 * unless configured to; the others answer 415 (RFC 9110 section 12.5.3).
 *
 * <pre>{@code
 * Request post = Request.post("https://example.com/logs", Body.of(Path.of("today.log")));
 * Response response = client.send(GzipBody.compress(post));
 * }</pre>
 */
public final class GzipBody {
  private static final int BUFFER = 8 << 10;
  private static final Encoding GZIP = GzipBody::encoder;

  private GzipBody() {}

  /**
   * This body, compressed. It has the media type of the content, an unknown length, and is
   * replayable if the content is. The message must say {@code Content-Encoding: gzip}; {@link
   * #compress} adds that field.
   */
  public static Body of(Body content) {
    return new CodedBody(content, GZIP);
  }

  /**
   * A stream that compresses what is written to it. Flushing it makes all that was written before
   * readable; closing it writes the rest, closes the target, and frees some 256 KiB of memory
   * outside the heap.
   *
   * @throws IOException if the target throws one
   */
  public static OutputStream encoder(OutputStream target) throws IOException {
    return new GZIPOutputStream(target, BUFFER, true);
  }

  /**
   * The request with its content compressed and a Content-Encoding field; unchanged if it has no
   * content.
   *
   * @throws IllegalArgumentException if it has a content coding already
   */
  public static Request compress(Request request) {
    return CodedBody.request(request, "gzip", GZIP);
  }
}
