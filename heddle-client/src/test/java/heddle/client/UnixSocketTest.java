package heddle.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Body;
import heddle.http.Request;
import heddle.http.failure.ConnectFailedException;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls to a server at a Unix domain socket. */
@Timeout(60)
final class UnixSocketTest {
  @TempDir
  private Path folder;

  private static String readHead(SocketChannel c) throws IOException {
    StringBuilder head = new StringBuilder();
    ByteBuffer octet = ByteBuffer.allocate(1);
    while (head.indexOf("\r\n\r\n") < 0 && c.read(octet.clear()) > 0) {
      head.append((char) octet.get(0));
    }
    return head.toString();
  }

  private static void write(SocketChannel c, String text) throws IOException {
    c.write(ByteBuffer.wrap(text.getBytes(US_ASCII)));
  }

  @Test
  void requestsGoToTheSocketWhateverTheirHost() throws Exception {
    Path path = folder.resolve("http.sock");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      FutureTask<Long> serving = new FutureTask<>(() -> {
        try (SocketChannel c = server.accept()) {
          String head = readHead(c);
          assertTrue(head.startsWith("GET /info HTTP/1.1\r\nHost: docker\r\n"), head);
          write(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
          assertTrue(readHead(c).startsWith("POST /up HTTP/1.1\r\n"));
          ByteBuffer content = ByteBuffer.allocate(3_000_000);
          while (content.hasRemaining() && c.read(content) > 0) {
            // More of it.
          }
          write(c, "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n");
          return (long) content.position();
        }
      });
      Thread.ofVirtual().start(serving);
      try (HttpClient client = HttpClient.builder().unixSocket(path).build()) {
        assertEquals("hi", client.get("http://docker/info").string());
        Request upload = Request.post("http://docker/up", Body.of(new byte[3_000_000]));
        assertEquals(201, client.send(upload).status().code());
        assertEquals(3_000_000, serving.get());
      }
    }
  }

  @Test
  void socketThatIsNotThereFailsTheCall() throws Exception {
    Path path = folder.resolve("none.sock");
    try (HttpClient client = HttpClient.builder()
        .unixSocket(path)
        .tcpKeepAlive(Duration.ofSeconds(9), Duration.ofSeconds(9)) // which it does not have
        .build()) {
      ConnectFailedException failure =
          assertThrows(ConnectFailedException.class, () -> client.get("http://docker/info"));
      assertTrue(failure.getMessage().contains("none.sock"), failure::getMessage);
    }
  }
}
