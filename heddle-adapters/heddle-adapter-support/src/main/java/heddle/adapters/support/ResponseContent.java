package heddle.adapters.support;

import heddle.http.Response;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/**
 * The content of a response, with failures translated to those that a library's users expect.
 * Closing it discards unread content, and closes the connection unless all content has arrived.
 * Used by one thread at a time.
 */
public final class ResponseContent extends FilterInputStream {
  private final Response response;
  private final UnaryOperator<IOException> translated;
  private final boolean drains;
  private boolean over;

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
    this(response, translated, false);
  }

  private ResponseContent(Response response, UnaryOperator<IOException> translated, boolean drains)
      throws IOException {
    super(response.body().stream());
    this.response = response;
    this.translated = translated;
    this.drains = drains;
  }

  /**
   * The same, but closing it before its end reads the rest, as Apache's streams do, so that the
   * connection can be reused. A caller that does not want to wait aborts the request instead.
   */
  public static ResponseContent drained(Response response, UnaryOperator<IOException> translated)
      throws IOException {
    return new ResponseContent(response, translated, true);
  }

  @Override
  public int read() throws IOException {
    try {
      int value = over ? -1 : in.read();
      over = value < 0;
      return value;
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public int read(byte[] target, int offset, int count) throws IOException {
    try {
      int read = over ? -1 : in.read(target, offset, count);
      over = read < 0;
      return read;
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public long skip(long count) throws IOException {
    try {
      return over ? 0 : in.skip(count);
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public int available() throws IOException {
    return over ? 0 : in.available();
  }

  @Override
  public void close() throws IOException {
    if (!drains) {
      response.close();
    } else if (!over) {
      try {
        in.transferTo(OutputStream.nullOutputStream());
      } catch (IOException e) {
        throw translated.apply(e);
      } finally {
        over = true;
        in.close();
      }
    }
  }
}
