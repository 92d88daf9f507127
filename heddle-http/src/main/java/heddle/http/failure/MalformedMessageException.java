package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** The peer sent what the protocol does not allow. */
public class MalformedMessageException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** What is malformed. */
  public enum Kind {
    /** The request line, the status line, or {@code :status} and its like. */
    START_LINE,
    /** A name begins with a colon, and is no pseudo-header field (RFC 9113 section 8.3). */
    UNKNOWN_PSEUDO_FIELD,
    /**
     * A pseudo-header field in a message or section that may not contain it, behind another field,
     * or for the second time (RFC 9113 section 8.3).
     */
    MISPLACED_PSEUDO_FIELD,
    /** A response over HTTP/2 without {@code :status} (RFC 9113 section 8.3.2). */
    MISSING_STATUS,
    /** A field that HTTP/2 prohibits, such as Connection (RFC 9113 section 8.2.2). */
    PROHIBITED_FIELD,
    /** A field line whose name or value is not allowed (RFC 9110 section 5). */
    BAD_FIELD,
    /** How long the content is: Content-Length, Transfer-Encoding, the syntax of chunks. */
    FRAMING,
    /** The content cannot be decoded as its Content-Encoding says. */
    CODING,
    /** Something is larger than a limit: always so in a {@link MessageTooLargeException}. */
    LIMIT,
    /** Anything else. */
    OTHER
  }

  /** What kind of rule was broken. */
  private final Kind kind;

  /** Whether it happened on a connection of HTTP/2. */
  private final boolean ofHttp2;

  /** Creates the exception of a failure at this point of a call. */
  public MalformedMessageException(
      Kind kind, String message, @Nullable FailurePoint at, @Nullable Throwable cause) {
    this(kind, false, message, at, cause);
  }

  /** As the other one; says whether HTTP/2 was spoken. */
  public MalformedMessageException(
      Kind kind,
      boolean ofHttp2,
      String message,
      @Nullable FailurePoint at,
      @Nullable Throwable cause) {
    super(message, at, cause);
    this.kind = kind;
    this.ofHttp2 = ofHttp2;
  }

  /** What is malformed. */
  public final Kind kind() {
    return kind;
  }

  /**
   * Whether HTTP/2 is known to have been spoken when it happened: also on a connection that began
   * with HTTP/1.1.
   */
  public final boolean isOfHttp2() {
    return ofHttp2;
  }
}
