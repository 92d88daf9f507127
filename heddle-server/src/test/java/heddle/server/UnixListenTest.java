package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import java.io.IOException;
import java.net.BindException;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers on Unix domain sockets. */
@Timeout(60)
class UnixListenTest {
  @TempDir
  private Path folder;

  private static HttpServer.Builder server() {
    return HttpServer.builder().handler(request -> Response.ok(request.path()));
  }

  private static String get(SocketAddress address) throws IOException {
    try (SocketChannel socket = SocketChannel.open(address)) {
      String request = "GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n";
      socket.write(ByteBuffer.wrap(request.getBytes(ISO_8859_1)));
      ByteBuffer answer = ByteBuffer.allocate(10_000);
      while (socket.read(answer) >= 0) {
        // More of it.
      }
      return new String(answer.array(), 0, answer.position(), ISO_8859_1);
    }
  }

  private static void assertAnswers(SocketAddress address) throws IOException {
    String answer = get(address);
    assertTrue(answer.startsWith("HTTP/1.1 200 ") && answer.endsWith("\r\n\r\n/x"), answer);
  }

  @Test
  void socketFileLivesAsLongAsTheServer() throws Exception {
    Path file = folder.resolve("http.sock");
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
    try (HttpServer server = server().address(address).start()) {
      assertEquals(address, server.address());
      assertThrows(IllegalStateException.class, server::port);
      assertAnswers(address);
      assertAnswers(address);
    }
    assertFalse(Files.exists(file));
  }

  @Test
  void fileOfACrashedProcessIsReplaced() throws Exception {
    Path file = folder.resolve("http.sock");
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
    try (ServerSocketChannel crashed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      crashed.bind(address); // Closing it leaves the file.
    }
    assertTrue(Files.exists(file));
    try (HttpServer server = server().address(address).start()) {
      assertAnswers(server.address());
    }
    assertFalse(Files.exists(file));
  }

  @Test
  void fileAtWhichAProcessListensIsLeftAlone() throws Exception {
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("http.sock"));
    try (HttpServer first = server().address(address).start()) {
      BindException failure =
          assertThrows(BindException.class, () -> server().address(address).start());
      assertTrue(failure.getMessage().contains("http.sock"), failure.getMessage());
      assertAnswers(first.address());
    }
  }

  @Test
  void fileThatIsNoSocketIsLeftAlone() throws Exception {
    Path file = Files.writeString(folder.resolve("notes"), "precious");
    HttpServer.Builder builder = server().address(UnixDomainSocketAddress.of(file));
    assertThrows(BindException.class, builder::start);
    assertEquals("precious", Files.readString(file));
  }

  @Test
  void fileOfASuccessorIsNotDeleted() throws Exception {
    Path file = folder.resolve("http.sock");
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(file);
    HttpServer first = server().address(address).start();
    // So that the system cannot give the same inode again.
    Files.move(file, folder.resolve("old.sock"));
    try (HttpServer second = server().address(address).start()) {
      first.close();
      assertAnswers(second.address());
    }
  }

  @Test
  void pathThatTheSystemCannotBindIsNamed() {
    Path file = folder.resolve("x".repeat(120));
    HttpServer.Builder builder = server().address(UnixDomainSocketAddress.of(file));
    IOException failure = assertThrows(IOException.class, builder::start);
    assertTrue(failure.getMessage().contains(file.toString()), failure.getMessage());
  }
}
