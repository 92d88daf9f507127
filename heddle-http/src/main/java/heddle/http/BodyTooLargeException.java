package heddle.http;

import org.jspecify.annotations.Nullable;

/** A body holds more bytes than may be taken into memory at once, or than a limit allows. */
public final class BodyTooLargeException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception of a failure at this point of a call. */
  public BodyTooLargeException(
      String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    super(message, at, cause);
  }

  /** A body of this length, or {@link Body#UNKNOWN}, that was to be read into memory. */
  static BodyTooLargeException inMemory(long limit, long length) {
    String size = length == Body.UNKNOWN ? "more than " + limit : Long.toString(length);
    String message = "the body has " + size + " bytes and the limit is " + limit;
    return advise(
        new BodyTooLargeException(message, null, null),
        ": read it as a stream or to a file, or give a higher limit");
  }
}
