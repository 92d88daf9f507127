package heddle.web.syntax;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.MediaType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The media type that the Content-Type fields of a message name, also if it has no content. */
public final class ContentType {
  private ContentType() {}

  /** The media type; null if there are no fields, several, or one that is malformed. */
  public static @Nullable MediaType of(Headers headers) {
    List<String> values = headers.all(HeaderName.CONTENT_TYPE);
    return values.size() == 1 ? parse(values.get(0)) : null;
  }

  /** As {@link #of}, but the first of several fields counts. */
  public static @Nullable MediaType first(Headers headers) {
    String value = headers.first(HeaderName.CONTENT_TYPE);
    return value == null ? null : parse(value);
  }

  private static @Nullable MediaType parse(String value) {
    try {
      return MediaType.parse(value);
    } catch (IllegalArgumentException malformed) {
      return null;
    }
  }
}
