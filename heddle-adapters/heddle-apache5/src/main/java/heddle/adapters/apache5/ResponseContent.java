package heddle.adapters.apache5;

import heddle.http.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * The streamed content of a response. Closing it before its end reads the rest, as Apache's streams
 * do, so that the connection can be reused. A caller that does not want to wait aborts the request
 * instead. Used by one thread at a time.
 */
final class ResponseContent extends InputStream {
  private final InputStream content;
  private final HeddleConnection connection;
  private boolean over;

  ResponseContent(Response response, HeddleConnection connection) throws IOException {
    this.content = response.body().stream();
    this.connection = connection;
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
      throw connection.explain(e);
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
      throw connection.explain(e);
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
      throw connection.explain(e);
    } finally {
      over = true;
      content.close();
    }
  }
}
