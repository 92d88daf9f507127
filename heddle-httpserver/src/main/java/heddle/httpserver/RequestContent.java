package heddle.httpserver;

import heddle.http.Body;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request. Closing it early has the rest discarded, or the connection closed if
 * that is long.
 */
final class RequestContent extends InputStream {
  private final Body body;
  private @Nullable InputStream stream;
  private @Nullable InputStream other;
  private volatile boolean closed;

  RequestContent(Body body) {
    this.body = body;
  }

  /** What is read is of another protocol from now on. */
  void switchTo(InputStream otherProtocol) {
    other = otherProtocol;
    stream = otherProtocol;
    closed = false;
  }

  private InputStream open() throws IOException {
    if (closed) {
      throw new IOException("the request's content was closed, or its exchange has ended");
    }
    InputStream opened = stream;
    if (opened == null) {
      opened = body.stream();
      stream = opened;
    }
    return opened;
  }

  @Override
  public int read() throws IOException {
    return open().read();
  }

  @Override
  public int read(byte[] target, int offset, int size) throws IOException {
    return open().read(target, offset, size);
  }

  @Override
  public long skip(long count) throws IOException {
    return open().skip(count);
  }

  @Override
  public int available() throws IOException {
    return closed ? 0 : open().available();
  }

  /** The exchange has ended, which discards the rest. */
  void ended() {
    closed = true;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      InputStream switched = other;
      if (switched == null) {
        body.close();
      } else {
        switched.close();
      }
    }
  }
}
