package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.testwatch.Conditions;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Servers on several addresses. */
@Timeout(60)
class ListenTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

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
  void allAddressesAreServed() throws Exception {
    Path file = folder.resolve("http.sock");
    HttpServer server = server()
        .address(ANY_PORT)
        .listen(ListenAddress.of(ANY_PORT))
        .listen(ListenAddress.of(UnixDomainSocketAddress.of(file)))
        .start();
    try (server) {
      assertEquals(3, server.addresses().size());
      assertEquals(server.address(), server.addresses().getFirst());
      assertEquals(((InetSocketAddress) server.address()).getPort(), server.port());
      for (SocketAddress each : server.addresses()) {
        assertAnswers(each);
      }
      // The limits are those of the server, not of an address.
      Conditions.await("all are closed", () -> server.connections() == 0);
    }
    for (SocketAddress each : server.addresses()) {
      assertThrows(IOException.class, () -> get(each));
    }
  }

  @Test
  void ifOneAddressIsInUseNoneStaysBound() throws Exception {
    Path file = folder.resolve("http.sock");
    try (HttpServer first = server().start()) {
      HttpServer.Builder second = server()
          .address(UnixDomainSocketAddress.of(file))
          .listen(ListenAddress.of(first.address()));
      assertThrows(BindException.class, second::start);
      assertFalse(Files.exists(file));
      assertAnswers(first.address());
    }
  }
}
