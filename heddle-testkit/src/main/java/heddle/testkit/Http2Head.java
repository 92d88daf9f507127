package heddle.testkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field section as a peer sent it: the head of a request or a response, or trailers.
 *
 * @param fields in order, pseudo-header fields too, each as {@code name: value}
 */
public record Http2Head(int streamId, boolean endStream, List<String> fields) {
  /** Copies the list. */
  public Http2Head {
    fields = List.copyOf(fields);
  }

  /** The value of the first field of this name, such as {@code :path}; null if there is none. */
  public @Nullable String value(String name) {
    for (String field : fields) {
      if (field.startsWith(name + ": ")) {
        return field.substring(name.length() + 2);
      }
    }
    return null;
  }
}
