package heddle.connection;

import heddle.http.failure.ConnectionLostException.Progress;
import heddle.http.failure.ConnectionLostException.Side;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A connection has ended, and it is known how. Created on any thread; {@link Failures} turns it
 * into the call's exception on the caller's thread.
 */
public final class LostConnectionException extends IOException {
  private static final long serialVersionUID = 1L;

  private final @Nullable Progress progress;
  private final Side closedBy;
  private final String advice;

  /**
   * @param progress how far the message had come; null over HTTP/2, where it follows from the
   *     phase of the call
   * @param advice follows the message directly
   */
  public LostConnectionException(
      String message,
      @Nullable Progress progress,
      Side closedBy,
      String advice,
      @Nullable Throwable cause) {
    super(message, cause);
    this.progress = progress;
    this.closedBy = closedBy;
    this.advice = advice;
  }

  @Nullable
  Progress progress() {
    return progress;
  }

  Side closedBy() {
    return closedBy;
  }

  String advice() {
    return advice;
  }
}
