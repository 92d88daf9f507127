package heddle.zstd;

import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import com.github.luben.zstd.util.Native;
import heddle.http.ContentCoding;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Zstandard (RFC 8878), by its native library. Clients decode it if this module is on the class
 * path or the module path. A content that is decoded holds a window of at most 8 MiB (RFC 9659),
 * one that is encoded some 4 MB at level 3 and 90 MB at level 19; both outside the heap, until it
 * is at its end or closed. Immutable.
 *
 * <pre>{@code
 * Request post = Request.post("https://example.com/logs", Body.of(Path.of("today.log")));
 * Response response = client.send(new ZstdCoding().compress(post));
 * }</pre>
 */
public final class ZstdCoding implements ContentCoding {
  private static final int USUAL_LEVEL = 3;

  /** RFC 9659 section 3: windows of more than 8 MB, which higher levels have, are not allowed. */
  private static final int MAX_LEVEL = 19;

  private final int level;

  /**
   * With level 3, the library's own default.
   *
   * @throws UnsupportedOperationException if there is no native library for this platform
   */
  public ZstdCoding() {
    this(USUAL_LEVEL);
  }

  /**
   * With a level that matters only where content is encoded.
   *
   * @param level 1 to 19; higher ones compress better and take longer, 19 a hundred times as long
   *     as 3
   * @throws IllegalArgumentException if it is out of its range
   * @throws UnsupportedOperationException if there is no native library for this platform
   */
  public ZstdCoding(int level) {
    if (level < 1 || level > MAX_LEVEL) {
      throw new IllegalArgumentException("level must be 1 to " + MAX_LEVEL + ", not " + level);
    }
    try {
      Native.load();
    } catch (LinkageError | RuntimeException e) {
      throw new UnsupportedOperationException(
          "zstd-jni has no native library for %s on %s"
              .formatted(System.getProperty("os.name"), System.getProperty("os.arch")),
          e);
    }
    this.level = level;
  }

  /** {@code zstd}. */
  @Override
  public String name() {
    return "zstd";
  }

  @Override
  public Decoder decoder() throws IOException {
    return new ZstdDecoder();
  }

  @Override
  public OutputStream encoder(OutputStream target) throws IOException {
    ZstdOutputStreamNoFinalizer encoder = new ZstdOutputStreamNoFinalizer(target, level);
    encoder.setChecksum(true);
    encoder.write(new byte[0]); // Begins the frame, which there has to be even without content.
    return encoder;
  }
}
