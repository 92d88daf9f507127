package heddle.adapters.jdk;

import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.http.duplex.UpgradeContent;
import heddle.websocket.Handshake;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The opening handshake of one WebSocket. Used by the thread of its call, unless stated. */
final class Opening {
  private final URI uri;
  private final WebSocket.Listener listener;
  private final Handshake handshake;

  /** The body of the latest request. */
  private UpgradeContent content = new UpgradeContent();

  /** Null before the socket is open. Read by other threads. */
  private volatile @Nullable JdkWebSocket socket;

  /** Why the response that switches protocols was refused; null if it was not. */
  private volatile @Nullable IOException refusal;

  /**
   * @throws IllegalArgumentException if a subprotocol is no token or is repeated
   */
  Opening(URI uri, List<String> subprotocols, WebSocket.Listener listener) {
    this.uri = uri;
    this.listener = listener;
    this.handshake = new Handshake(subprotocols);
  }

  /** Returns a request that offers the server to open the socket. */
  Request offer(Request request) {
    content = new UpgradeContent();
    return handshake.request(request.toBuilder().body(content).build());
  }

  /** Whether the server has switched to another protocol. */
  boolean isSwitched(HttpResponse<?> head) {
    return head.statusCode() == Status.SWITCHING_PROTOCOLS.code();
  }

  /**
   * Opens the socket.
   *
   * @param response that switches to another protocol
   * @param disconnect closes the connection; idempotent
   * @return null if the server has not switched as it was asked; the response is closed then
   */
  @Nullable
  JdkWebSocket open(Response response, Signals signals, Runnable disconnect) throws IOException {
    try {
      JdkWebSocket opened = new JdkWebSocket(
          uri, handshake.open(response, content.output()), listener, signals, disconnect);
      socket = opened;
      return opened;
    } catch (heddle.websocket.WebSocketHandshakeException e) {
      refusal = e;
      return null;
    }
  }

  /** The socket; null before it is open. From any thread. */
  @Nullable
  JdkWebSocket socket() {
    return socket;
  }

  /**
   * The socket, after its call. From any thread.
   *
   * @throws CompletionException with a {@link WebSocketHandshakeException} if the server has not
   *     opened it
   */
  WebSocket result(HttpResponse<?> response) {
    JdkWebSocket opened = socket;
    if (opened != null) {
      return opened;
    }
    IOException because = refusal;
    throw new CompletionException(new WebSocketHandshakeException(response)
        .initCause(
            because != null
                ? because
                : new IOException("the server answered " + response.statusCode()
                    + " instead of opening a WebSocket")));
  }
}
