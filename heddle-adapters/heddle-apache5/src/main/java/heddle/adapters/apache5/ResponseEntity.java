package heddle.adapters.apache5;

import heddle.http.Response;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.apache.hc.core5.function.Supplier;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response as Apache's users know it. What has all come with the head is held in
 * memory, so that its connection is free at once.
 */
final class ResponseEntity implements HttpEntity {
  private final Response response;
  private final ResponseFields fields;
  private final InputStream content;
  private final boolean streaming;

  private ResponseEntity(Response response, InputStream content, boolean streaming) {
    this.response = response;
    this.fields = new ResponseFields(response);
    this.content = content;
    this.streaming = streaming;
  }

  static ResponseEntity of(Response response, HeddleConnection connection) throws IOException {
    ByteBuffer held = response.body().inMemory();
    if (held == null) {
      return new ResponseEntity(response, new ResponseContent(response, connection), true);
    }
    byte[] bytes = new byte[held.remaining()];
    held.get(bytes);
    response.close();
    return new ResponseEntity(response, new ByteArrayInputStream(bytes), false);
  }

  /** It comes once. */
  @Override
  public boolean isRepeatable() {
    return false;
  }

  @Override
  public boolean isStreaming() {
    return streaming;
  }

  @Override
  public InputStream getContent() {
    return content;
  }

  @Override
  public void writeTo(OutputStream sink) throws IOException {
    content.transferTo(sink);
  }

  @Override
  public boolean isChunked() {
    return fields.isChunked();
  }

  /** What is announced; -1 where nothing is. */
  @Override
  public long getContentLength() {
    return fields.getContentLength();
  }

  @Override
  public @Nullable String getContentType() {
    return fields.getContentType();
  }

  @Override
  public @Nullable String getContentEncoding() {
    return fields.getContentEncoding();
  }

  /** Those that have come by the time they are asked for; none before the content's end. */
  @Override
  public Supplier<List<? extends Header>> getTrailers() {
    return () -> Messages.fields(response.trailers().get());
  }

  @Override
  public Set<String> getTrailerNames() {
    return fields.getTrailerNames();
  }

  @Override
  public void close() throws IOException {
    content.close();
  }
}
