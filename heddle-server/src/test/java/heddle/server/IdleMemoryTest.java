package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the JVM of a server keeps for connections that wait for their next request. */
@Timeout(60)
@DisplayName("Idle connections cost little memory")
class IdleMemoryTest {
  private static final int CONNECTIONS = 2_000;

  /** Of them the JDK needs 689 for a socket that a selector watches. */
  private static final int MOST_BYTES = 1_000;

  /** Run in a separate JVM: prints its port, and for each line that it gets its heap in use. */
  static final class MeasuredServer {
    public static void main(String[] args) throws Exception {
      try (HttpServer server = HttpServer.builder()
          .idleTimeout(Duration.ofMinutes(5))
          .maxConnections(2 * CONNECTIONS)
          .handler(request -> Response.ok("hello"))
          .start()) {
        System.out.println(server.port());
        while (System.in.read() >= 0) {
          System.gc();
          System.gc();
          Runtime runtime = Runtime.getRuntime();
          System.out.println(runtime.totalMemory() - runtime.freeMemory());
        }
      }
    }
  }

  @Test
  void idleConnectionTakesAThousandBytesOfHeap() throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-cp",
            System.getProperty("java.class.path"),
            MeasuredServer.class.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    List<RawPeer> peers = new ArrayList<>();
    try (BufferedReader out = process.inputReader();
        Writer in = process.outputWriter()) {
      int port = Integer.parseInt(out.readLine());
      connect(peers, port, CONNECTIONS / 10); // loads and initialises what the first ones need
      long before = heap(in, out);
      connect(peers, port, CONNECTIONS);
      long each = (heap(in, out) - before) / CONNECTIONS;
      assertTrue(each <= MOST_BYTES, "an idle connection takes " + each + " bytes");
    } finally {
      process.destroyForcibly();
      for (RawPeer peer : peers) {
        peer.close();
      }
    }
  }

  private static void connect(List<RawPeer> peers, int port, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      RawPeer peer = RawPeer.connect(port);
      peers.add(peer);
      assertEquals(200, peer.get("/").answer().status());
    }
  }

  private static long heap(Writer in, BufferedReader out) throws IOException {
    in.write('\n');
    in.flush();
    return Long.parseLong(out.readLine());
  }
}
