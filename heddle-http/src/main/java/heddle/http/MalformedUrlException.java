package heddle.http;

import org.jspecify.annotations.Nullable;

/** A URL that is not an absolute http or https URL of legal characters (RFC 9110 section 4.2). */
public final class MalformedUrlException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public MalformedUrlException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }

  /** Creates an exception with this message alone. */
  public MalformedUrlException(String message) {
    this(message, null, null);
  }
}
