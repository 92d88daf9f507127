package heddle.connection;

import java.io.IOException;

/** The peer sent nothing for longer than it may. */
public final class SilenceException extends IOException {
  private static final long serialVersionUID = 1L;

  public SilenceException(long nanos) {
    super("the server sent nothing for " + nanos / 1_000_000 + " ms");
  }
}
