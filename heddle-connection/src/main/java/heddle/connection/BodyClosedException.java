package heddle.connection;

import java.io.IOException;

/** The content was closed, perhaps by another thread, and is read nevertheless. */
final class BodyClosedException extends IOException {
  private static final long serialVersionUID = 1L;

  BodyClosedException() {
    super("the body was closed before it was read to its end");
  }
}
