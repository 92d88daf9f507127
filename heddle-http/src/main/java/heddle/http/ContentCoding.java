package heddle.http;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.zip.DataFormatException;

/**
 * A coding of content, such as a compression (RFC 9110 section 8.4.1). Clients decode gzip and
 * deflate by themselves; the modules {@code heddle-brotli} and {@code heddle-zstd} have one coding
 * each, which clients use if its module is on the class path or the module path. Safe for use by
 * many threads.
 *
 * <pre>{@code
 * Request post = Request.post("https://example.com/logs", Body.of(Path.of("today.log")));
 * Response response = client.send(new ZstdCoding().compress(post));
 * }</pre>
 */
public interface ContentCoding {
  /** The name in Accept-Encoding and Content-Encoding, in lower case, such as {@code br}. */
  String name();

  /**
   * Makes a decoder for one content.
   *
   * @throws IOException if there is no memory for it
   */
  Decoder decoder() throws IOException;

  /**
   * Makes a stream that encodes one content. Flushing it makes decodable what was written before;
   * closing it writes the rest, closes the target, and frees the memory of the encoder.
   *
   * @throws UnsupportedOperationException if this coding only decodes, as by default
   * @throws IOException if there is no memory for it, or the target throws one
   */
  default OutputStream encoder(OutputStream target) throws IOException {
    throw new UnsupportedOperationException("this implementation of " + name() + " only decodes");
  }

  /**
   * A body that is encoded while it is sent. It has the media type of the content, an unknown
   * length, and is replayable if the content is. The message has to name the coding in
   * Content-Encoding.
   */
  default Body compress(Body content) {
    return new CodedBody(content, this::encoder);
  }

  /**
   * The request with its content encoded and a Content-Encoding field; unchanged if it has no
   * content. Few servers take encoded requests unless configured to; the others answer 415 (RFC
   * 9110 section 12.5.3).
   *
   * @throws IllegalArgumentException if it has a content coding already
   */
  default Request compress(Request request) {
    return CodedBody.request(request, name(), this::encoder);
  }

  /**
   * Decodes one content. It is used by one thread at a time, and never waits for anything: where
   * the coded bytes come from is the caller's affair.
   */
  interface Decoder extends AutoCloseable {
    /**
     * Takes coded bytes and puts decoded ones, until the source is empty or the target is full.
     * Called again with an empty source, it puts what did not fit into the target before.
     *
     * @param source has an array
     * @param target has an array
     * @return whether the content may end here: all that was taken so far is complete, and what it
     *     stands for is in the target. If more is taken after that, it is either another part or an
     *     error
     * @throws DataFormatException if the coded bytes are not what the coding allows; says why. What
     *     is in the target by then is decoded content
     */
    boolean decode(ByteBuffer source, ByteBuffer target) throws DataFormatException;

    /** Frees the memory of the decoder, which is not used after that. */
    @Override
    void close();
  }

  /**
   * The codings whose modules are on the class path or the module path, by name. One whose library
   * is missing, or has no native code for this platform, is left out, with a warning in the log
   * {@code heddle.http}.
   */
  static List<ContentCoding> installed() {
    return Installed.CODINGS;
  }

  /** Looked for once, when first asked for. */
  final class Installed {
    private static final List<ContentCoding> CODINGS = find();

    private Installed() {}

    /** Without streams and lambdas, which every program would load with its first client. */
    private static List<ContentCoding> find() {
      List<ContentCoding> found = new ArrayList<>();
      Iterator<ContentCoding> codings = ServiceLoader.load(ContentCoding.class).iterator();
      boolean more = true;
      while (more) {
        more = addNext(codings, found);
      }
      if (found.size() > 1) {
        found.sort(Comparator.comparing(ContentCoding::name));
      }
      return List.copyOf(found);
    }

    /** Returns whether there may be more. A loader goes on with the next after a failure. */
    private static boolean addNext(Iterator<ContentCoding> codings, List<ContentCoding> found) {
      try {
        if (!codings.hasNext()) {
          return false;
        }
        found.add(codings.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        Throwable reason = e instanceof LinkageError ? e : e.getCause();
        if (!(reason instanceof LinkageError)
            && !(reason instanceof UnsupportedOperationException)) {
          throw e;
        }
        String message = "A content coding is left out, because its library is missing or has no"
            + " native code for this platform: " + e.getMessage();
        System.getLogger("heddle.http").log(Level.WARNING, message, reason);
      }
      return true;
    }
  }
}
