package heddle.websocket;

import heddle.http.Headers;
import heddle.http.HttpException;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.StatusException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The server has not opened a WebSocket: it answered otherwise, or not as RFC 6455 requires. */
public final class WebSocketHandshakeException extends HttpException {
  private static final long serialVersionUID = 1L;

  private final transient Status status;
  private final transient Headers headers;

  private WebSocketHandshakeException(
      String message, Response response, @Nullable Throwable cause) {
    super(message, null, cause);
    this.status = response.status();
    this.headers = response.headers();
  }

  /** The server has switched, but not as the request asked (RFC 6455 section 4.1). */
  static WebSocketHandshakeException invalid(Response response, String what) {
    Request request = response.request();
    return new WebSocketHandshakeException(
        "the handshake of WebSocket failed (" + request + "): " + what, response, null);
  }

  /** The server has not switched. Closes the response. */
  static WebSocketHandshakeException refused(Response response) throws IOException {
    Throwable cause = null;
    try (response) {
      response.requireSuccess();
    } catch (StatusException e) {
      cause = e; // with the beginning of the content
    }
    String what = "the server answered " + response.status() + " instead of opening it";
    return new WebSocketHandshakeException(
        "the handshake of WebSocket failed (" + response.request() + "): " + what, response, cause);
  }

  /** The status of the response; null after serialization. */
  public Status status() {
    return status;
  }

  /** The fields of the response; null after serialization. */
  public Headers headers() {
    return headers;
  }
}
