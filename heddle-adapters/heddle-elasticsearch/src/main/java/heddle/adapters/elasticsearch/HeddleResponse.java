package heddle.adapters.elasticsearch;

import co.elastic.clients.transport.http.TransportHttpClient;
import co.elastic.clients.util.BinaryData;
import heddle.adapters.support.MessageFields;
import heddle.adapters.support.ResponseContent;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.Method;
import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A response as Elasticsearch's client reads it. Used by one thread at a time. */
final class HeddleResponse implements TransportHttpClient.Response {
  private final TransportHttpClient.Node node;
  private final Response response;
  private final @Nullable Content content;

  /**
   * @throws IOException if the content cannot be opened
   */
  HeddleResponse(TransportHttpClient.Node node, Method method, Response response)
      throws IOException {
    this.node = node;
    this.response = response;
    content = MessageFields.mayHaveContent(method, response)
        ? new Content(
            response.headers(), new ResponseContent(response, HeddleHttpClient.ADVICE::translate))
        : null;
  }

  @Override
  public TransportHttpClient.Node node() {
    return node;
  }

  @Override
  public int statusCode() {
    return response.status().code();
  }

  @Override
  public @Nullable String header(String name) {
    return response.headers().first(HeaderName.of(name));
  }

  @Override
  public List<String> headers(String name) {
    return response.headers().all(name);
  }

  @Override
  public @Nullable BinaryData body() {
    return content;
  }

  @Override
  public Response originalResponse() {
    return response;
  }

  /** Discards unread content, and closes the connection unless all content has arrived. */
  @Override
  public void close() throws IOException {
    response.close();
  }

  /** Content that can be read once. */
  private static final class Content implements BinaryData {
    private final Headers headers;
    private final InputStream stream;

    Content(Headers headers, InputStream stream) {
      this.headers = headers;
      this.stream = stream;
    }

    @Override
    public String contentType() {
      String type = headers.first(HeaderName.CONTENT_TYPE);
      return type == null ? "application/octet-stream" : type;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      stream.transferTo(out);
    }

    @Override
    public ByteBuffer asByteBuffer() throws IOException {
      return ByteBuffer.wrap(stream.readAllBytes());
    }

    @Override
    public InputStream asInputStream() {
      return stream;
    }

    @Override
    public boolean isRepeatable() {
      return false;
    }

    @Override
    public long size() {
      String length = headers.first(HeaderName.CONTENT_LENGTH);
      return length == null ? -1 : Long.parseLong(length);
    }
  }
}
