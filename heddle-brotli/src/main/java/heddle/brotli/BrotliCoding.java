package heddle.brotli;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import heddle.http.ContentCoding;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Brotli (RFC 7932), by Google's native library. Clients decode it if this module is on the class
 * path or the module path. A content that is decoded holds a window of at most 16 MiB, one that is
 * encoded up to some 20 MB; both outside the heap, until it is at its end or closed. Immutable.
 *
 * <pre>{@code
 * Request post = Request.post("https://example.com/logs", Body.of(Path.of("today.log")));
 * Response response = client.send(new BrotliCoding().compress(post));
 * }</pre>
 */
public final class BrotliCoding implements ContentCoding {
  private static final int USUAL_QUALITY = 5;
  private static final int MAX_QUALITY = 11;

  private final int quality;

  /**
   * With quality 5, which is about as fast as gzip by default and compresses better.
   *
   * @throws UnsupportedOperationException if there is no native library for this platform
   */
  public BrotliCoding() {
    this(USUAL_QUALITY);
  }

  /**
   * With a quality that matters only where content is encoded.
   *
   * @param quality 0 to 11; higher ones compress better and take longer, 11 a hundred times as long
   *     as 5
   * @throws IllegalArgumentException if it is out of its range
   * @throws UnsupportedOperationException if there is no native library for this platform
   */
  public BrotliCoding(int quality) {
    if (quality < 0 || quality > MAX_QUALITY) {
      throw new IllegalArgumentException(
          "quality must be 0 to " + MAX_QUALITY + ", not " + quality);
    }
    if (!Brotli4jLoader.isAvailable()) {
      throw new UnsupportedOperationException(
          "brotli4j has no native library for %s on %s: add the one of this platform"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")),
          Brotli4jLoader.getUnavailabilityCause());
    }
    this.quality = quality;
  }

  /** {@code br}. */
  @Override
  public String name() {
    return "br";
  }

  @Override
  public Decoder decoder() throws IOException {
    return new BrotliDecoder();
  }

  @Override
  public OutputStream encoder(OutputStream target) throws IOException {
    return new BrotliOutputStream(target, new Encoder.Parameters().setQuality(quality));
  }
}
