package heddle.http;

import org.jspecify.annotations.Nullable;

/** A URL that is not an absolute http or https URL of legal characters (RFC 9110 section 4.2). */
public final class MalformedUrlException extends HttpException {
  private static final long serialVersionUID = 1L;

  public MalformedUrlException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }

  public MalformedUrlException(String message) {
    this(message, null, null);
  }
}
