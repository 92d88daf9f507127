package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.adapters.jdk.WebSocketPeer.Connection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The server of a test and its client, which is shut down first. */
final class WebSocketWorld implements AutoCloseable {
  final WebSocketPeer peer;
  private @Nullable HttpClient client;

  /** An open socket, and its server's side. */
  record Open(WebSocket socket, Connection server) {}

  WebSocketWorld() {
    try {
      peer = WebSocketPeer.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the client, which is shut down at the end of the test. */
  HttpClient uses(HttpClient made) {
    client = made;
    return made;
  }

  /** The client of the test, which uses one by now. */
  HttpClient client() {
    return Objects.requireNonNull(client, "client");
  }

  Open open(HttpClient of, WebSocket.Listener listener) throws Exception {
    CompletableFuture<WebSocket> opening =
        uses(of).newWebSocketBuilder().buildAsync(peer.uri(), listener);
    Connection server = peer.open();
    return new Open(opening.get(), server);
  }

  static <T extends Throwable> T failure(Class<T> type, CompletableFuture<?> future) {
    ExecutionException failed =
        assertThrows(ExecutionException.class, () -> future.get(30, TimeUnit.SECONDS));
    return assertInstanceOf(type, failed.getCause());
  }

  @Override
  public void close() throws IOException {
    if (client != null) {
      client.shutdownNow();
    }
    peer.close();
  }
}
