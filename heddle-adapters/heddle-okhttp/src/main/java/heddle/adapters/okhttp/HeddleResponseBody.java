package heddle.adapters.okhttp;

import okhttp3.MediaType;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/** The body of a response, which parses its media type on demand. */
final class HeddleResponseBody extends ResponseBody {
  private final @Nullable String contentType;
  private final long contentLength;
  private final BufferedSource source;

  HeddleResponseBody(@Nullable String contentType, long contentLength, BufferedSource source) {
    this.contentType = contentType;
    this.contentLength = contentLength;
    this.source = source;
  }

  @Override
  public @Nullable MediaType contentType() {
    return contentType == null ? null : MediaType.parse(contentType);
  }

  @Override
  public long contentLength() {
    return contentLength;
  }

  @Override
  public BufferedSource source() {
    return source;
  }
}
