package heddle.adapters.support;

import heddle.http.Response;
import java.io.FilterInputStream;
import java.io.IOException;

/**
 * The content of a response, with failures {@linkplain SocketFailures#translate translated}.
 * Closing it discards unread content, and closes the connection unless all content has arrived.
 */
public final class ResponseContent extends FilterInputStream {
  private final Response response;

  /** Opens the content of a response. */
  public ResponseContent(Response response) throws IOException {
    super(response.body().stream());
    this.response = response;
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      throw SocketFailures.translate(e);
    }
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    try {
      return in.read(target, offset, count);
    } catch (IOException e) {
      throw SocketFailures.translate(e);
    }
  }

  @Override
  public long skip(long count) throws IOException {
    try {
      return in.skip(count);
    } catch (IOException e) {
      throw SocketFailures.translate(e);
    }
  }

  @Override
  public void close() throws IOException {
    response.close();
  }
}
