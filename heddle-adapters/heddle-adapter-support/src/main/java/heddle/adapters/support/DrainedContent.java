package heddle.adapters.support;

import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.function.UnaryOperator;

/**
 * The streamed content of a response. Closing it before its end reads the rest, as Apache's streams
 * do, so that the connection can be reused. A caller that does not want to wait aborts the request
 * instead. Used by one thread at a time.
 */
public final class DrainedContent extends InputStream {
  private final InputStream content;
  private final UnaryOperator<IOException> translated;
  private boolean over;

  /**
   * Opens the content of a response.
   *
   * @param translated returns the exception to throw for one of Heddle's
   */
  public DrainedContent(Response response, UnaryOperator<IOException> translated)
      throws IOException {
    this.content = response.body().stream();
    this.translated = translated;
  }

  @Override
  public int read() throws IOException {
    if (over) {
      return -1;
    }
    try {
      int value = content.read();
      over = value < 0;
      return value;
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public int read(byte[] target, int offset, int size) throws IOException {
    if (over) {
      return -1;
    }
    try {
      int read = content.read(target, offset, size);
      over = read < 0;
      return read;
    } catch (IOException e) {
      throw translated.apply(e);
    }
  }

  @Override
  public int available() throws IOException {
    return over ? 0 : content.available();
  }

  @Override
  public void close() throws IOException {
    if (over) {
      return;
    }
    try {
      content.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw translated.apply(e);
    } finally {
      over = true;
      content.close();
    }
  }
}
