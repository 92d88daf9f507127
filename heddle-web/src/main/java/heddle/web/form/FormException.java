package heddle.web.form;

import heddle.http.HttpException;
import heddle.http.Status;
import org.jspecify.annotations.Nullable;

/**
 * The content of a request is not a form that can be read, through the client's fault. A {@link
 * heddle.web.Router} makes it a {@link heddle.web.ProblemException} of the same {@link #status}; a
 * handler without a router has to catch it.
 */
public final class FormException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** The code of the status to answer with. */
  private final int code;

  private FormException(Status status, String message, @Nullable Throwable cause) {
    super(message, null, cause);
    this.code = status.code();
  }

  /** Breaks the syntax: 400. */
  static FormException malformed(String message) {
    return new FormException(Status.BAD_REQUEST, message, null);
  }

  /** Breaks the syntax: 400. */
  static FormException malformed(String message, Throwable cause) {
    return new FormException(Status.BAD_REQUEST, message, cause);
  }

  /** Is larger than a limit: 413. */
  static FormException tooLarge(String what, long limit, String setting) {
    String message = "the form has more than " + limit + " " + what;
    return advise(
        new FormException(Status.CONTENT_TOO_LARGE, message, null),
        ": raise FormLimits." + setting + " if clients may send more");
  }

  /** Is of another media type: 415. */
  static FormException unsupported(String message) {
    return new FormException(Status.UNSUPPORTED_MEDIA_TYPE, message, null);
  }

  /**
   * The status to answer with: 400 (Bad Request) for a malformed or incomplete form, 413 (Content
   * Too Large) for one that exceeds the {@link FormLimits}, 415 (Unsupported Media Type) for other
   * content.
   */
  public Status status() {
    return Status.of(code);
  }
}
