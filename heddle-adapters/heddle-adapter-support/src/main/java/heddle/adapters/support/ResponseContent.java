package heddle.adapters.support;

import heddle.http.Response;
import java.io.FilterInputStream;
import java.io.IOException;
import java.util.function.UnaryOperator;

/**
 * The content of a response, with failures translated to those that a library's users expect.
 * Closing it discards unread content, and closes the connection unless all content has arrived.
 */
public final class ResponseContent extends FilterInputStream {
  private final Response response;
  private final UnaryOperator<IOException> translated;

  /** Opens the content of a response. Failures are translated to those of the JDK's sockets. */
  public ResponseContent(Response response) throws IOException {
    this(response, SocketFailures::translate);
  }

  /**
   * Opens the content of a response.
   *
   * @param translated returns the exception to throw for a failure
   */
  public ResponseContent(Response response, UnaryOperator<IOException> translated)
      throws IOException {
    super(response.body().stream());
    this.response = response;
    this.translated = translated;
  }

  @Override
  public int read() throws IOException {
    try {
      return in.read();
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    try {
      return in.read(target, offset, count);
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public long skip(long count) throws IOException {
    try {
      return in.skip(count);
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public void close() throws IOException {
    response.close();
  }
}
