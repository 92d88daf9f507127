package heddle.websocket;

import heddle.http.HttpException;

/** The peer broke a rule of WebSocket or a limit of this side. The socket is closed. */
public final class WebSocketProtocolException extends HttpException {
  private static final long serialVersionUID = 1L;

  /** The code with which this side has closed the socket. */
  private final int code;

  WebSocketProtocolException(int code, String what) {
    super("the peer of a WebSocket has sent " + what, null, null);
    this.code = code;
  }

  /**
   * The code with which this side has closed the socket: {@link CloseReason#PROTOCOL_ERROR}, {@link
   * CloseReason#INVALID_DATA} or {@link CloseReason#TOO_LARGE}.
   */
  public int code() {
    return code;
  }
}
