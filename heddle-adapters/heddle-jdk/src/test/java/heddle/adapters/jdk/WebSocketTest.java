package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** WebSockets, which are the JDK's own. */
@Timeout(60)
class WebSocketTest {
  private static final Pattern KEY = Pattern.compile("Sec-WebSocket-Key: (\\S+)");

  /** RFC 6455 sections 1.3 and 5.2: a handshake and a text. */
  private static void greet(RawConnection connection) throws Exception {
    Matcher key = KEY.matcher(connection.expectHead());
    assertTrue(key.find());
    byte[] digest = MessageDigest.getInstance("SHA-1")
        .digest((key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
            .getBytes(StandardCharsets.US_ASCII));
    connection.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
        + "Connection: Upgrade\r\nSec-WebSocket-Accept: "
        + Base64.getEncoder().encodeToString(digest) + "\r\n\r\n");
    connection.send(new byte[] {(byte) 0x81, 2, 'h', 'i'});
    connection.readToEnd();
  }

  private static final class Listening implements WebSocket.Listener {
    final CompletableFuture<String> heard = new CompletableFuture<>();

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence text, boolean last) {
      heard.complete(text.toString());
      return null;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aTextIsHeard(Stack stack) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), WebSocketTest::greet)) {
      URI uri = URI.create("ws://127.0.0.1:" + peer.port() + "/");
      HttpClient client = stack.client();
      Listening listening = new Listening();
      WebSocket socket = client.newWebSocketBuilder().buildAsync(uri, listening).get();
      assertEquals("hi", listening.heard.get());
      socket.abort();
      client.shutdownNow();
      assertTrue(client.awaitTermination(Duration.ofSeconds(30)));
      assertTrue(client.isTerminated());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClientThatIsShutDownOpensNone(Stack stack) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), WebSocketTest::greet)) {
      URI uri = URI.create("ws://127.0.0.1:" + peer.port() + "/");
      HttpClient client = stack.client();
      WebSocket.Builder before = client.newWebSocketBuilder();
      client.shutdown();
      for (WebSocket.Builder each :
          new WebSocket.Builder[] {before, client.newWebSocketBuilder()}) {
        ExecutionException failed =
            assertThrows(ExecutionException.class, () -> each.buildAsync(uri, new Listening())
                .get());
        assertInstanceOf(IOException.class, failed.getCause());
      }
      assertEquals(0, peer.connections());
      client.close();
    }
  }
}
