package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Servers that break HTTP or are not there: one line that says where and why, exit code 1; a URL
 * that is none: exit code 2.
 */
final class GetFailuresTest {

  @AutoClose
  private final TcpNetwork network = TcpNetwork.builder().build();

  @ParameterizedTest
  @ValueSource(strings = {"http://a b/", "http://", "http:/x", "ftp://x/", "/hello", "http://x:0/"})
  void malformedUrlIsNamed(String url) {
    Ran.of("get", url).assertRefused("malformed URL");
  }

  @Test
  void unknownHostIsNamed() {
    // RFC 6761 section 6.4: there is never a host below .invalid.
    Ran.of("get", "http://unknown.invalid/")
        .assertFailed("GET http://unknown.invalid", "RESOLVE", "check the URL's host");
  }

  @Test
  void refusedConnectionNamesTheAddress() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    Ran.of("get", "http://127.0.0.1:" + port + "/", "-X", "DELETE")
        .assertFailed("DELETE http://127.0.0.1:" + port, "CONNECT", "refused");
  }

  @Test
  void garbageIsNotHttp() throws IOException {
    answered("SSH-2.0-nothing of ours\r\n\r\n").assertFailed("AWAIT_HEAD", "not valid HTTP");
  }

  @Test
  void connectionClosedWithoutAnAnswerIsLost() throws IOException {
    answered("").assertFailed("AWAIT_HEAD", "request sent: yes");
  }

  @Test
  void endlessHeadIsRefusedAtItsLimit() throws IOException {
    answered("HTTP/1.1 200 OK\r\n" + "X-Filling: again and again\r\n".repeat(10_000))
        .assertFailed("AWAIT_HEAD", "not valid HTTP");
  }

  @Test
  void badChunksAreNamed() throws IOException {
    String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    answered(head + "5\r\nabcde\r\nxyz\r\n").assertFailed("not valid HTTP", "a chunk size");
    answered(head + "5\r\nabcde\r\n").assertFailed("READ_BODY", "chunk");
  }

  @ParameterizedTest
  @ValueSource(strings = {"+5", "5, 6", "-1", "five", "99999999999999999999"})
  void wrongContentLengthIsNamed(String length) throws IOException {
    answered("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\nabcde")
        .assertFailed("AWAIT_HEAD", "Content-Length");
  }

  @Test
  void truncatedBodyIsNoAnswer() throws IOException {
    Ran ran = answered("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcde");
    ran.assertFailed("GET http://127.0.0.1:", "READ_BODY", "5 of 10");
  }

  @Test
  void truncatedBodyLeavesNoFile(@TempDir Path folder) throws IOException {
    String truncated = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcde";
    Path file = folder.resolve("answer");
    answered(truncated, "-o", file.toString()).assertFailed("READ_BODY");
    assertEquals(List.of(), list(folder));
    Files.writeString(file, "before");
    answered(truncated, "-o", file.toString()).assertFailed("READ_BODY");
    assertEquals("before", Files.readString(file));
    assertEquals(List.of(file), list(folder));
  }

  @Test
  void timeoutCoversTheBodyToo() throws IOException {
    try (ScriptedPeer peer = ScriptedPeer.each(network, connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabcde");
      connection.readToEnd();
    })) {
      Ran.of("get", peer.url("/"), "--timeout", "0.2").assertFailed("READ_BODY", "--timeout");
    }
  }

  @Test
  void failDoesNotWaitForTheBody() throws IOException {
    try (ScriptedPeer peer = ScriptedPeer.each(network, connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 503 Busy\r\nContent-Length: 10\r\n\r\n");
      connection.readToEnd();
    })) {
      Ran ran = Ran.of("get", peer.url("/"), "--fail");
      assertEquals(22, ran.code(), ran::toString);
      assertTrue(ran.err().contains("503"), ran::err);
    }
  }

  /** What the command says of a server that sends this and closes. */
  private Ran answered(String response, String... options) throws IOException {
    try (ScriptedPeer peer = ScriptedPeer.each(network, connection -> send(connection, response))) {
      Ran ran = Ran.of(Stream.concat(Stream.of("get", peer.url("/")), Stream.of(options))
          .toArray(String[]::new));
      assertTrue(
          ran.err().contains("GET http://127.0.0.1:" + peer.port()), () -> "no origin: " + ran);
      return ran;
    }
  }

  private static void send(RawConnection connection, String response) throws IOException {
    connection.expectHead();
    try {
      connection.send(response);
      connection.shutdownOutput();
      connection.readToEnd();
    } catch (IOException e) {
      // The client may hang up before everything is sent.
      assertTrue(response.length() > 100_000, () -> "not all was taken: " + e);
    }
  }

  private static List<Path> list(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }
}
