package heddle.adapters.apache5;

import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Response;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hc.core5.http.EntityDetails;
import org.jspecify.annotations.Nullable;

/** What the header fields of a response say about its content. */
final class ResponseFields implements EntityDetails {
  private final Response response;
  private final Headers headers;

  ResponseFields(Response response) {
    this.response = response;
    this.headers = response.headers();
  }

  @Override
  public boolean isChunked() {
    return headers.containsToken(HeaderName.TRANSFER_ENCODING, "chunked");
  }

  /** The announced length; -1 if none. */
  @Override
  public long getContentLength() {
    String announced = isChunked() ? null : headers.first(HeaderName.CONTENT_LENGTH);
    try {
      return announced == null ? -1 : Long.parseLong(announced);
    } catch (NumberFormatException e) {
      // A list of equal lengths, which Heddle accepts as one.
      return response.body().length();
    }
  }

  @Override
  public @Nullable String getContentType() {
    return headers.first(HeaderName.CONTENT_TYPE);
  }

  @Override
  public @Nullable String getContentEncoding() {
    return headers.first(HeaderName.CONTENT_ENCODING);
  }

  @Override
  public Set<String> getTrailerNames() {
    Set<String> names = new LinkedHashSet<>();
    for (String list : headers.all(HeaderName.TRAILER)) {
      for (String name : list.split(",", -1)) {
        names.add(name.strip());
      }
    }
    names.remove("");
    return names;
  }
}
