package heddle.transport;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The event loop of a channel failed, so that the channel was closed. The loop has been replaced:
 * new channels work.
 */
public final class LoopFailedException extends IOException {
  private static final long serialVersionUID = 1L;

  public LoopFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
