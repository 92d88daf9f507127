package heddle.adapters.apache5;

import heddle.adapters.support.DrainedContent;
import heddle.http.Response;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.Set;
import org.apache.hc.core5.function.Supplier;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.StreamClosedException;
import org.jspecify.annotations.Nullable;

/**
 * The content of a response as an Apache entity. Content that arrived together with the head is
 * held in memory, so that the connection is free at once.
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
    if (response.body().inMemory() == null) {
      return new ResponseEntity(response, new DrainedContent(response, connection::explain), true);
    }
    InputStream held = new HeldContent(response.body().stream());
    response.close();
    return new ResponseEntity(response, held, false);
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

  @Override
  public boolean isChunked() {
    return fields.isChunked();
  }

  /** The announced length; -1 if none. */
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

  /** The trailers received so far; none before the end of the content. */
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
