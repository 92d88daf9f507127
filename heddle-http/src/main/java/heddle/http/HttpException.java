package heddle.http;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong with a request or response. The message says what, and ends with the {@linkplain
 * FailurePoint point} of the call at which it happened, where there was one.
 */
public class HttpException extends IOException {
  private static final long serialVersionUID = 1L;

  // A point is for programs in this JVM; its text is part of the message.
  private final transient @Nullable FailurePoint at;

  private final String described;

  /**
   * An exception.
   *
   * @param message what happened and what to change
   * @param at where in a call it happened; null outside of a call
   */
  public HttpException(String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, cause);
    this.at = at;
    this.described = at == null ? message : message + ": " + at;
  }

  /** Where in a call it happened; null outside of a call, and after serialization. */
  public @Nullable FailurePoint at() {
    return at;
  }

  @Override
  public String getMessage() {
    return described;
  }
}
