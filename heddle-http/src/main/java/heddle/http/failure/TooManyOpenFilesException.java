package heddle.http.failure;

import heddle.http.FailurePoint;
import org.jspecify.annotations.Nullable;

/**
 * The process may open no more files or sockets, and the client had no idle connection whose place
 * the new one could take. The message names the limit, if the system reports it, and how to raise
 * it. The request was not sent.
 */
public final class TooManyOpenFilesException extends ConnectFailedException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public TooManyOpenFilesException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }
}
