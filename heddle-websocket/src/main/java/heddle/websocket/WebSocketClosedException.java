package heddle.websocket;

import heddle.http.HttpException;
import org.jspecify.annotations.Nullable;

/** The socket is closed, or its connection was lost without a closing handshake. */
public final class WebSocketClosedException extends HttpException {
  private static final long serialVersionUID = 1L;

  private final transient @Nullable CloseReason reason;

  WebSocketClosedException(
      String message, @Nullable CloseReason reason, @Nullable Throwable cause) {
    super(message, null, cause);
    this.reason = reason;
  }

  /** What the peer has said; null if it has not closed the socket, or after serialization. */
  public @Nullable CloseReason reason() {
    return reason;
  }
}
