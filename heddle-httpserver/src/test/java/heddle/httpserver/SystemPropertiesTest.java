package heddle.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.EOFException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The system properties of the JDK's server, that ours reads. */
@Timeout(60)
class SystemPropertiesTest {
  private interface Script {
    void run(HttpServer server, Peer peer) throws Exception;
  }

  /** With a server whose contexts answer with their paths. */
  private static void play(String property, String value, Script script) throws Exception {
    System.setProperty(property, value);
    HttpServer server;
    try {
      server = Providers.OURS.createHttpServer(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } finally {
      System.clearProperty(property);
    }
    server.createContext("/a", exchange -> Stage.reply(exchange, "a"));
    server.createContext("/read", exchange -> {
      exchange.getRequestBody().readAllBytes();
      Stage.reply(exchange, "read");
    });
    server.createContext("/wait", exchange -> {});
    server.start();
    try (Peer peer = new Peer(server.getAddress())) {
      script.run(server, peer);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void withoutPropertiesTheDefaultsAreThoseOfTheJdk() {
    SystemProperties defaults = SystemProperties.read();
    assertEquals(Duration.ofSeconds(30), defaults.idle());
    assertEquals(200, defaults.maxFields());
    assertEquals(380 * 1024, defaults.maxHeadBytes());
    assertEquals(65_536, defaults.drainBytes());
    assertEquals(0, defaults.maxConnections());
  }

  @Test
  void aValueThatMakesNoSenseIsTheDefault() {
    String property = "sun.net.httpserver.maxReqHeaders";
    System.setProperty(property, "-5");
    try {
      assertEquals(200, SystemProperties.read().maxFields());
    } finally {
      System.clearProperty(property);
    }
  }

  @Test
  void anIdleConnectionIsClosed() throws Exception {
    play("sun.net.httpserver.idleInterval", "1", (server, peer) -> {
      assertEquals("a", peer.get("/a").answer().body());
      assertTrue(peer.isEnded());
    });
  }

  @Test
  void aRequestWithTooManyFieldsIsRefused() throws Exception {
    play("sun.net.httpserver.maxReqHeaders", "2", (server, peer) -> {
      assertEquals("a", peer.get("/a").answer().body());
      peer.send("GET /a HTTP/1.1\r\nHost: test\r\nb: c\r\nd: e\r\n\r\n");
      assertEquals(431, peer.answer().status());
      assertTrue(peer.isEnded());
    });
  }

  @Test
  void aHeadThatIsTooLongIsRefused() throws Exception {
    play("sun.net.httpserver.maxReqHeaderSize", "100", (server, peer) -> {
      peer.send("GET /a HTTP/1.1\r\nHost: test\r\nb: " + "c".repeat(100) + "\r\n\r\n");
      assertEquals(431, peer.answer().status());
      assertTrue(peer.isEnded());
    });
  }

  @Test
  void aLongHeadIsReadByDefault() throws Exception {
    play("unused", "", (server, peer) -> {
      peer.send(
          "GET /a?" + "b".repeat(100_000) + " HTTP/1.1\r\nc: " + "d".repeat(200_000) + "\r\n\r\n");
      assertEquals("a", peer.answer().body());
    });
  }

  @Test
  void aRequestMustArriveInTime() throws Exception {
    play("sun.net.httpserver.maxReqTime", "1", (server, peer) -> {
      peer.send("POST /read HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\n\r\nabc");
      assertTrue(peer.isEnded());
    });
  }

  @Test
  void aResponseMustComeInTime() throws Exception {
    play(
        "sun.net.httpserver.maxRspTime",
        "1",
        (server, peer) ->
            assertThrows(EOFException.class, () -> peer.get("/wait").answer()));
  }

  @Test
  void moreConnectionsAreRefused() throws Exception {
    play("jdk.httpserver.maxConnections", "1", (server, peer) -> {
      assertEquals("a", peer.get("/a").answer().body());
      try (Peer other = new Peer(server.getAddress())) {
        assertEquals(503, other.get("/a").answer().status());
        assertTrue(other.isEnded());
      }
    });
  }

  @ParameterizedTest
  @CsvSource({"0, 20000, true", "0, 0, false", "20000, 20000, true", "20001, 20000, false"})
  void contentThatIsNotReadIsDiscardedUpToALimit(int limit, int length, boolean ends)
      throws Exception {
    play("sun.net.httpserver.drainAmount", "" + limit, (server, peer) -> {
      peer.send("POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: " + length + "\r\n\r\n");
      assertEquals("a", peer.answer().body());
      if (ends) {
        assertTrue(peer.isEnded());
      } else {
        peer.send("x".repeat(length));
        assertEquals("a", peer.get("/a").answer().body());
      }
    });
  }

  @ParameterizedTest
  @CsvSource({"pathPrefix, /ab, 404", "pathPrefix, /a/b, 200", "stringPrefix, /ab, 200"})
  void pathsAreComparedBySegmentsOrNot(String matcher, String path, int status) throws Exception {
    play(
        "sun.net.httpserver.pathMatcher",
        matcher,
        (server, peer) -> assertEquals(status, peer.get(path).answer().status()));
  }
}
