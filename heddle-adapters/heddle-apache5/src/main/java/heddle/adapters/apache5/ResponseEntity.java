package heddle.adapters.apache5;

import heddle.adapters.support.ResponseContent;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Response;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.hc.core5.function.Supplier;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.StreamClosedException;
import org.jspecify.annotations.Nullable;

/** What the header fields of a response say about its content. */
class ResponseEntity implements EntityDetails {
  final Response response;
  private final Headers headers;

  ResponseEntity(Response response) {
    this.response = response;
    this.headers = response.headers();
  }

  /**
   * Returns an entity with its content. Content that arrived together with the head is held in
   * memory, so that the connection is free at once.
   */
  static HttpEntity of(Response response, HeddleConnection connection) throws IOException {
    if (response.body().inMemory() == null) {
      return new WithContent(
          response, ResponseContent.drained(response, connection::explain), true);
    }
    InputStream held = new HeldContent(response.body().stream());
    response.close();
    return new WithContent(response, held, false);
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

  private static final class WithContent extends ResponseEntity implements HttpEntity {
    private final InputStream content;
    private final boolean streaming;

    WithContent(Response response, InputStream content, boolean streaming) {
      super(response);
      this.content = content;
      this.streaming = streaming;
    }

    /** False: the content can be read once. */
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

    /** The trailers received so far; none before the end of the content. */
    @Override
    public Supplier<List<? extends Header>> getTrailers() {
      return () -> Messages.fields(response.trailers().get());
    }

    @Override
    public void close() throws IOException {
      content.close();
    }
  }

  /** Content in memory. It cannot be read after it was closed, like any content of Apache's. */
  private static final class HeldContent extends FilterInputStream {
    private boolean closed;

    HeldContent(InputStream content) {
      super(content);
    }

    private void requireOpen() throws StreamClosedException {
      if (closed) {
        throw new StreamClosedException("Stream already closed");
      }
    }

    @Override
    public int read() throws IOException {
      requireOpen();
      return super.read();
    }

    @Override
    public int read(byte[] target, int offset, int size) throws IOException {
      requireOpen();
      return super.read(target, offset, size);
    }

    @Override
    public void close() throws IOException {
      closed = true;
    }
  }
}
