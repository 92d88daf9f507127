package heddle.http.failure;

import heddle.http.FailurePoint;
import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/**
 * The connection was closed or reset before the message was complete: on a client the response, on
 * a server the request. The exception's message says how many of how many bytes had arrived.
 */
public final class ConnectionLostException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** How far the message had come. */
  public enum Progress {
    /** No byte of it had arrived; interim responses do not count. */
    NOTHING,
    /** Some of its head had arrived. */
    HEAD,
    /** Its head, and less content than Content-Length announces. */
    SIZED_CONTENT,
    /** Its head, and content in chunks (RFC 9112 section 7.1) without the last one. */
    CHUNKS,
    /** Its head, and content over HTTP/2, or content that ends with the connection. */
    CONTENT
  }

  /** Who ended the connection. */
  public enum Side {
    /** The peer closed it in order. */
    PEER,
    /** This side closed or aborted it. */
    SELF,
    /** It was reset, the network failed, or the peer did not answer any more. */
    UNKNOWN
  }

  /** How far the response had come. */
  private final Progress progress;

  /** Which side has closed the connection. */
  private final Side closedBy;

  /** Whether it happened on a connection of HTTP/2. */
  private final boolean ofHttp2;

  /** Creates the exception of a failure at this point of a call. */
  public ConnectionLostException(
      String message,
      Progress progress,
      Side closedBy,
      @Nullable FailurePoint at,
      @Nullable Throwable cause) {
    this(message, progress, closedBy, false, at, cause);
  }

  /** As the other one; says whether HTTP/2 was spoken. */
  public ConnectionLostException(
      String message,
      Progress progress,
      Side closedBy,
      boolean ofHttp2,
      @Nullable FailurePoint at,
      @Nullable Throwable cause) {
    super(message, at, cause);
    this.ofHttp2 = ofHttp2;
    this.progress = progress;
    this.closedBy = closedBy;
  }

  /** How far the message had come. */
  public Progress progress() {
    return progress;
  }

  /** Who ended the connection. */
  public Side closedBy() {
    return closedBy;
  }

  /**
   * Whether HTTP/2 is known to have been spoken when it happened: also on a connection that began
   * with HTTP/1.1.
   */
  public boolean isOfHttp2() {
    return ofHttp2;
  }
}
