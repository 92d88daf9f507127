package heddle.bench.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.driver.Wire;
import heddle.http.Request;
import heddle.load.ErrorCause;
import heddle.load.Load;
import heddle.load.LoadReport;
import heddle.load.record.FailureKind;
import heddle.load.schedule.Segment;
import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import heddle.transport.tls.TlsOptions;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What befalls a target is counted under its name, and the load ends. */
@Timeout(60)
class HttpTargetTest {

  private static final String GOOD = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  @AutoClose
  private final TcpNetwork network = TcpNetwork.builder().build();

  @Test
  void requestsOfAListAreSentInTurn() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(network, connection -> {
          while (connection.hasMore()) {
            boolean isSecond = connection.expectHead().startsWith("GET /b ");
            connection.send(isSecond ? GOOD.replace("200", "404") : GOOD);
          }
        });
        HttpTarget target = HttpTarget.open(
            Wire.http1(1),
            TlsOptions.defaults(),
            Duration.ofSeconds(20),
            10,
            List.of(Request.get(peer.url("/a")), Request.get(peer.url("/b"))))) {
      LoadReport report =
          Load.of(target.exchange(Segment.WHOLE)).callers(1).requests(10).run();
      assertEquals(5, report.answered());
      assertEquals(10, report.bodyBytes());
      assertEquals(5, report.errors().getFirst().count());
      assertEquals("status 404", report.errors().getFirst().cause());
      assertEquals(1, target.connections());
    }
  }

  @Test
  void refusedConnectionIsCountedAsSuch() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    ErrorCause error = onlyError("http://127.0.0.1:" + port + "/", Duration.ofSeconds(20));
    assertEquals(FailureKind.REFUSED, error.kind());
    assertEquals("connect", error.phase());
  }

  @Test
  void resetConnectionIsCountedAsSuch() throws Exception {
    ErrorCause error = onlyError(connection -> {
      connection.expectHead();
      connection.reset();
    });
    assertEquals(FailureKind.RESET, error.kind(), error::toString);
    assertEquals("await head", error.phase());
  }

  @Test
  void answerThatEndsEarlyIsCountedAsTruncated() throws Exception {
    ErrorCause error = onlyError(connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnot all");
    });
    assertEquals(FailureKind.TRUNCATED, error.kind(), error::toString);
    assertEquals("read body", error.phase());
  }

  @Test
  void silentServerIsCountedAsTimeoutAndTheLoadEnds() throws Exception {
    ErrorCause error = onlyError(
        connection -> {
          connection.expectHead();
          connection.expectEnd();
        },
        Duration.ofMillis(150));
    assertEquals(FailureKind.TIMEOUT, error.kind(), error::toString);
  }

  @Test
  void answerThatIsNoHttpIsCountedAsSuch() throws Exception {
    ErrorCause error = onlyError(connection -> {
      connection.expectHead();
      connection.send("SSH-2.0-nothing\r\n\r\n");
    });
    assertEquals(FailureKind.PROTOCOL, error.kind(), error::toString);
  }

  @Test
  void peerWithoutTlsIsCountedAsSuch() throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(network, connection -> {
      connection.expectBytes(1);
      connection.send("HTTP/1.1 400 Bad Request\r\n\r\n");
    })) {
      ErrorCause error =
          onlyError("https://127.0.0.1:" + peer.port() + "/", Duration.ofSeconds(20));
      assertEquals(FailureKind.TLS, error.kind(), error::toString);
    }
  }

  private ErrorCause onlyError(ScriptedPeer.Script script) throws Exception {
    return onlyError(script, Duration.ofSeconds(20));
  }

  private ErrorCause onlyError(ScriptedPeer.Script script, Duration timeout) throws Exception {
    try (ScriptedPeer peer = ScriptedPeer.each(network, script)) {
      return onlyError(peer.url("/"), timeout);
    }
  }

  private static ErrorCause onlyError(String url, Duration timeout) throws Exception {
    Request request = Request.get(URI.create(url));
    try (HttpTarget target =
        HttpTarget.open(Wire.http1(2), TlsOptions.defaults(), timeout, 10, List.of(request))) {
      LoadReport report = Load.of(target.exchange(Segment.WHOLE))
          .callers(2)
          .requests(4)
          .classifier(HttpTarget.classifier())
          .run();
      assertEquals(0, report.answered());
      assertEquals(4, report.failed(), () -> report.errors().toString());
      assertTrue(report.errors().size() == 1, () -> report.errors().toString());
      return report.errors().getFirst();
    }
  }
}
