package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.testwatch.FewDescriptors;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server that may open fewer files than it has clients, as the first thing that goes wrong. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
@DisplayName("Promise 22: out of descriptors is a state, not an end")
class FewDescriptorsTest {
  private static final int LIMIT = 60;
  private static final int CLIENTS = 2 * LIMIT;

  /** Run in a separate JVM: prints its port, and ends when its input ends. */
  static final class OneServer {
    public static void main(String[] args) throws Exception {
      try (HttpServer server = HttpServer.builder()
          .maxConnections(10 * LIMIT)
          .handler(request -> Response.ok("hello"))
          .start()) {
        System.out.println(server.port());
        while (System.in.read() >= 0) {
          // Wait for the end of the input.
        }
      }
    }
  }

  @TempDir
  Path directory;

  @Test
  void idleConnectionsMakeRoomForNewOnes() throws Exception {
    Path errors = directory.resolve("errors.log");
    Process process = FewDescriptors.jvm(LIMIT, directory, OneServer.class)
        .redirectError(errors.toFile())
        .start();
    List<Socket> clients = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      int port = Integer.parseInt(out.readLine());
      for (int i = 0; i < CLIENTS; i++) {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        clients.add(client);
        client.setSoTimeout(30_000);
        client.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(ISO_8859_1));
        assertEquals("HTTP/1.1 200 OK", firstLine(client));
      }
    } finally {
      for (Socket client : clients) {
        client.close();
      }
      process.destroy();
      process.waitFor();
    }
    String logged = Files.readString(errors);
    assertEquals(1, logged.split("Accepting pauses", -1).length - 1, logged);
    assertTrue(logged.contains("the limit of this process is " + LIMIT), logged);
  }

  private static String firstLine(Socket client) throws IOException {
    return new BufferedReader(new InputStreamReader(client.getInputStream(), ISO_8859_1))
        .readLine();
  }
}
