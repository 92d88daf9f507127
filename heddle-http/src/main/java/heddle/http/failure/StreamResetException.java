package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** The server gave up one exchange of a connection that it shares with others (RST_STREAM). */
public final class StreamResetException extends HttpException {
  private static final long serialVersionUID = 1L;

  private static final int HTTP_1_1_REQUIRED = 0xd; // RFC 9113 section 7

  /** The error code of the frame: RFC 9113 §7. */
  private final int code;

  /** Creates the exception of a failure at this point of a call. */
  public StreamResetException(
      String message, int code, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
    this.code = code;
  }

  /** The error code that the server gave, as RFC 9113 section 7 registers them. */
  public int code() {
    return code;
  }

  /** Whether the server wants the request over HTTP/1.1. */
  public boolean requiresHttp11() {
    return code == HTTP_1_1_REQUIRED;
  }
}
