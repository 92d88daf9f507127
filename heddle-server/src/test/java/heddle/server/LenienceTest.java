package heddle.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings of servers that take the place of another: what they speak, refuse and discard. */
@Timeout(60)
class LenienceTest {
  private static HttpServer.Builder server() {
    return HttpServer.builder()
        .handler(request -> Response.ok(request.origin().host() + request.path()));
  }

  @ParameterizedTest
  @CsvSource({"true, 400", "false, 200"})
  void aRequestNeedsAHostUnlessTheServerSaysOtherwise(boolean required, int status)
      throws Exception {
    try (HttpServer server = server().hostRequired(required).start();
        RawPeer peer = RawPeer.connect(server)) {
      RawPeer.Answer answer = peer.send("GET /a HTTP/1.1\r\n\r\n").answer();
      assertEquals(status, answer.status());
      if (!required) {
        assertTrue(answer.body().endsWith("/a"), answer.body());
        assertEquals(
            400, peer.send("GET / HTTP/1.1\r\nHost: a b\r\n\r\n").answer().status());
      }
    }
  }

  @Test
  void aServerWithoutHttp2TakesItsPrefaceForABadRequest() throws Exception {
    try (HttpServer server = server().http2(false).start();
        RawPeer peer = RawPeer.connect(server);
        RawPeer other = RawPeer.connect(server)) {
      String answer = peer.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").rest();
      assertTrue(answer.startsWith("HTTP/1.1 400 ") || answer.startsWith("HTTP/1.1 505 "), answer);
      assertEquals(200, other.get("/").answer().status());
    }
  }

  @Test
  void upgradesNeedHttp2() {
    HttpServer.Builder builder = server().http2(false).upgradeToH2c(true);
    assertThrows(IllegalStateException.class, builder::start);
  }

  @Test
  void aServerIsClosedInAnotherTimeThanItsOwn() throws Exception {
    UntilInterrupted handler = new UntilInterrupted();
    HttpServer server =
        HttpServer.builder().handler(handler).closeTimeout(Duration.ofHours(1)).start();
    try (RawPeer peer = RawPeer.connect(server)) {
      peer.get("/");
      handler.awaitRunning();
      assertThrows(IllegalArgumentException.class, () -> server.close(Duration.ofSeconds(-1)));
      server.close(Duration.ZERO);
      assertTrue(handler.isInterrupted());
      assertEquals("", peer.rest());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 30_000})
  void contentThatIsNotReadIsDiscardedUpToTheLimit(int limit) throws Exception {
    try (HttpServer server = server().maxDiscardBytes(limit).start();
        RawPeer peer = RawPeer.connect(server)) {
      peer.send("POST / HTTP/1.1\r\nHost: test\r\nContent-Length: 20000\r\n\r\n");
      RawPeer.Answer first = peer.answer();
      assertEquals(200, first.status());
      assertEquals(limit == 0, first.hasLine("Connection: close"), first.head());
      if (limit > 0) {
        peer.send("x".repeat(20_000));
        assertEquals(200, peer.get("/").answer().status());
      }
    }
  }
}
