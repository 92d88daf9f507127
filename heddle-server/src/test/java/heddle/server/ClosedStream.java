package heddle.server;

import java.io.ByteArrayInputStream;
import java.util.concurrent.Semaphore;

/** A stream that counts how often it is closed. */
final class ClosedStream extends ByteArrayInputStream {
  private final Semaphore closed;

  ClosedStream(byte[] content, Semaphore closed) {
    super(content);
    this.closed = closed;
  }

  @Override
  public void close() {
    closed.release();
  }
}
