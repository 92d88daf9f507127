package heddle.testkit.mock;

import static java.nio.charset.StandardCharsets.UTF_8;

import heddle.http.HttpVersion;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A request that a {@link MockServer} was sent.
 *
 * @param method such as {@code GET}
 * @param target as it was sent, such as {@code /hello?name=x}
 * @param fields each {@code name: value}, in their order, pseudo-header fields not among them
 * @param body the content, without its framing; not copied
 * @param connection the number of its connection, from 1
 */
@SuppressWarnings("ArrayRecordComponent") // recorded for a test to look at, never compared
public record RecordedRequest(
    String method,
    String target,
    HttpVersion version,
    List<String> fields,
    byte[] body,
    int connection) {
  /** Copies the list. */
  public RecordedRequest {
    fields = List.copyOf(fields);
  }

  /** The value of the first field of this name in any case; null if there is none. */
  public @Nullable String header(String name) {
    String start = name.toLowerCase(Locale.ROOT) + ":";
    for (String field : fields) {
      if (field.toLowerCase(Locale.ROOT).startsWith(start)) {
        return field.substring(start.length()).strip();
      }
    }
    return null;
  }

  /** The content as text in UTF-8. */
  public String text() {
    return new String(body, UTF_8);
  }

  @Override
  public String toString() {
    return method + " " + target + " over " + version + " with " + body.length + " bytes";
  }
}
