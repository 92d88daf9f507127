package heddle.http;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.util.List;
import java.util.ServiceLoader;

/**
 * Converts between values and content, such as JSON: what {@link Request.Builder#body(Object)} and
 * {@link Response#as(Class)} use. The modules {@code heddle-jackson3}, {@code heddle-jackson2} and
 * {@code heddle-gson} have one each, which is used by being on the class path. To use another one,
 * or other settings, give a codec to the client or to the request. Safe for use by many threads.
 */
public interface BodyCodec {
  /**
   * The content for a value, replayable and with its media type.
   *
   * @throws BodyCodecException if there is none for it
   */
  Body encode(Object value) throws IOException;

  /**
   * The value that content stands for.
   *
   * @param content to be read to its end, not closed
   * @param type of the value
   * @throws BodyCodecException if the content is no such value
   * @throws IOException if reading fails
   */
  Object decode(InputStream content, Type type) throws IOException;

  /**
   * The codec whose module is on the class path or the module path.
   *
   * @throws IllegalStateException if there is none, or more than one
   */
  static BodyCodec installed() {
    List<BodyCodec> all = Installed.CODECS;
    if (all.size() == 1) {
      return all.getFirst();
    }
    throw new IllegalStateException(
        all.isEmpty()
            ? "no module that converts values is on the class path: add heddle-jackson3,"
                + " heddle-jackson2 or heddle-gson, or give the client a codec,"
                + " such as KotlinxCodec of heddle-kotlin"
            : "several modules convert values, so give the client one of them as codec: "
                + all.stream().map(each -> each.getClass().getName()).toList());
  }

  /** Looked for once, when first asked for. */
  final class Installed {
    private static final List<BodyCodec> CODECS = ServiceLoader.load(BodyCodec.class).stream()
        .map(ServiceLoader.Provider::get)
        .toList();

    private Installed() {}
  }
}
