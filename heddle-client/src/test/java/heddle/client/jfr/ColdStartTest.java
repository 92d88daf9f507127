package heddle.client.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ChildJvm;
import heddle.client.HttpClient;
import heddle.client.spi.ExchangeListener;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the first call of a JVM does without. */
@Timeout(120)
class ColdStartTest {
  /** Run in a new JVM. */
  static final class OneCall {
    public static void main(String[] args) throws Exception {
      Request request = Request.get(args[0]);
      HttpClient.Builder builder = HttpClient.builder();
      if (args[1].equals("LISTENER")) {
        builder.listener(new ExchangeListener() {});
      }
      try (HttpClient client = builder.build();
          Response response = client.send(request)) {
        System.exit(response.status().code() == 200 ? 0 : 1);
      }
    }
  }

  @TempDir
  Path directory;

  /** The first event's class costs a JVM a tenth of a second, a context for TLS twice as much. */
  @ParameterizedTest
  @ValueSource(strings = {"NO_LISTENER", "LISTENER"})
  void plainCallWithoutRecordingUsesNeitherEventsNorTls(String kind) throws Exception {
    Path loaded = directory.resolve("loaded.log");
    try (TcpNetwork servers = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.each(servers, c -> {
          c.expectHead();
          c.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
          c.hasMore();
        })) {
      Process process = ChildJvm.start(
          List.of("-Xlog:class+load:file=" + loaded), OneCall.class, peer.url("/"), kind);
      assertEquals(0, process.waitFor());
    }
    String classes = Files.readString(loaded);
    assertTrue(classes.contains("heddle.client.HttpClient "));
    assertEquals(kind.equals("LISTENER"), classes.contains("jdk.jfr.Event "));
    assertFalse(classes.contains("jdk.jfr.internal.TypeLibrary "));
    assertFalse(classes.contains("sun.security.ssl.SSLContextImpl"));
  }
}
