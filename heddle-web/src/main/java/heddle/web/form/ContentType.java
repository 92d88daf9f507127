package heddle.web.form;

import heddle.http.HeaderName;
import heddle.http.MediaType;
import heddle.http.Request;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The media type of a request's content: by its field, since empty content has one too. */
final class ContentType {
  private ContentType() {}

  /** Null if it has none, more than one, or none that can be understood. */
  static @Nullable MediaType of(Request request) {
    List<String> values = request.headers().all(HeaderName.CONTENT_TYPE);
    try {
      return values.size() == 1 ? MediaType.parse(values.get(0)) : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
