package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.HELLO;
import static heddle.client.proxy.ProxyWorld.SOCKS;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import heddle.client.spi.Proxy;
import heddle.codec.Role;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ProxyException;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer.Script;
import java.io.IOException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls through a SOCKS 5 proxy. */
@Timeout(60)
class SocksTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final String URL = "http://a.test/";
  private static final String TO_A = "0501000306" + "612e74657374" + "0050";
  private static final String OPEN = "05000001" + "000000000000";

  private static void expect(RawConnection c, String hex) throws IOException {
    assertArrayEquals(HEX.parseHex(hex), c.expectBytes(hex.length() / 2));
  }

  private static void send(RawConnection c, String hex) throws IOException {
    c.send(HEX.parseHex(hex));
  }

  private static void open(RawConnection c, String request) throws IOException {
    expect(c, "050100");
    send(c, "0500");
    expect(c, request);
    send(c, OPEN);
  }

  private static void answer(RawConnection c, String host) throws IOException {
    c.expect("GET / HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    c.send(HELLO);
    assertFalse(c.hasMore());
  }

  @Test
  void proxyLooksTheNameUpAndTheRequestIsTheOrigins() throws Exception {
    try (ProxyWorld world = new ProxyWorld(SOCKS)) {
      world.visit(() -> assertEquals("hello", world.get(URL)), c -> {
        open(c, TO_A);
        answer(c, "a.test");
      });
      assertEquals(List.of("proxy.test"), world.lookedUp);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "127.0.0.9, 050100017f0000090050",
    "[2001:db8::1], 0501000420010db80000000000000000000000010050"
  })
  void addressesGoAsAddresses(String host, String request) throws Exception {
    try (ProxyWorld world = new ProxyWorld(SOCKS)) {
      world.visit(() -> assertEquals("hello", world.get("http://" + host + "/")), c -> {
        open(c, request);
        answer(c, host);
      });
    }
  }

  @Test
  void originsShareNoConnections() throws Exception {
    try (ProxyWorld world = new ProxyWorld(SOCKS)) {
      world.serve(c -> {
        open(c, TO_A);
        answer(c, "a.test");
      });
      world.serve(c -> {
        open(c, TO_A.replace("612e", "622e"));
        answer(c, "b.test");
      });
      world.visit(() -> {
        world.get(URL);
        world.get("http://b.test/");
        assertEquals(2, world.world.pool().open());
      });
    }
  }

  @Test
  void passwordIsSentWhereTheProxyWantsIt() throws Exception {
    try (ProxyWorld world = new ProxyWorld(SOCKS.withCredentials("me", "pw"))) {
      world.visit(() -> assertEquals("hello", world.get(URL)), c -> {
        expect(c, "05020002");
        send(c, "0502");
        expect(c, "01" + "026d65" + "027077");
        send(c, "0100");
        expect(c, TO_A);
        send(c, OPEN);
        answer(c, "a.test");
      });
    }
  }

  @Test
  void http2GoesThroughAndItsServerMaySpeakFirst() throws Exception {
    try (ProxyWorld world =
        new ProxyWorld(builder -> builder.proxy(SOCKS).version(HttpVersion.HTTP_2))) {
      world.serve(c -> {
        expect(c, "050100");
        send(c, "0500");
        expect(c, TO_A);
        send(c, OPEN + "000000040000000000");
        c.expect("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        Http2Peer h2 = Http2Peer.of(Role.SERVER, c);
        h2.expectSettings();
        h2.sendSettingsAck();
        h2.sendResponse(h2.expectHeaders().streamId(), 200, "hello");
        c.drain();
      });
      world.visit(() -> {
        try (Response response = world.world.client.send(Request.get(URL))) {
          assertEquals(HttpVersion.HTTP_2, response.version());
          assertEquals("hello", response.string());
        }
      });
    }
  }

  private static void assertFails(
      Proxy proxy, ProxyException.Reason reason, String says, Script script) throws Exception {
    try (ProxyWorld world = new ProxyWorld(proxy)) {
      world.serve(script);
      world.visit(() -> {
        ProxyException failure = world.failure(ProxyException.class, URL);
        assertEquals(reason, failure.reason());
        assertEquals(Sent.NO, failure.at().sent());
        assertSays(failure, "the proxy socks5://proxy.test:3128 opened no connection: ", says);
        world.world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void refusalSaysWhy() throws Exception {
    assertFails(SOCKS, ProxyException.Reason.REFUSED, "the destination refused", c -> {
      expect(c, "050100");
      send(c, "0500");
      expect(c, TO_A);
      send(c, "0505");
      assertFalse(c.hasMore());
    });
  }

  @Test
  void missingAndWrongCredentialsAreReported() throws Exception {
    assertFails(SOCKS, ProxyException.Reason.AUTHENTICATION, "no credentials", c -> {
      expect(c, "050100");
      send(c, "05ff");
      assertFalse(c.hasMore());
    });
    Proxy known = SOCKS.withCredentials("me", "pw");
    assertFails(known, ProxyException.Reason.AUTHENTICATION, "refused the user name", c -> {
      expect(c, "05020002");
      send(c, "0502");
      expect(c, "01" + "026d65" + "027077");
      send(c, "0101");
      assertFalse(c.hasMore());
    });
  }

  @Test
  void httpProxyIsNoSocksProxy() throws Exception {
    assertFails(SOCKS, ProxyException.Reason.MALFORMED, "not SOCKS 5", c -> {
      c.send("HTTP/1.1 400 Bad Request\r\n\r\n");
      c.drain();
    });
  }

  @Test
  void proxyMayCloseAtEachByte() throws Exception {
    String answers = "0500" + OPEN;
    Script[] scripts = new Script[answers.length() / 2];
    for (int cut = 0; cut < scripts.length; cut++) {
      String first = answers.substring(0, Math.min(4, 2 * cut));
      String second = answers.substring(Math.min(4, 2 * cut), 2 * cut);
      scripts[cut] = c -> {
        expect(c, "050100");
        send(c, first);
        if (!second.isEmpty()) {
          expect(c, TO_A);
          send(c, second);
        }
      };
    }
    try (ProxyWorld world = new ProxyWorld(SOCKS)) {
      world.serve(scripts);
      world.visit(() -> {
        for (int cut = 0; cut < scripts.length; cut++) {
          assertSays(
              world.failure(ConnectFailedException.class, URL),
              "the handshake with the proxy socks5://proxy.test:3128 failed: ");
        }
        world.world.assertNothingIsOpen();
      });
    }
  }

  @Test
  void answersMayTrickleInTime() throws Exception {
    try (ProxyWorld world = new ProxyWorld(SOCKS)) {
      world.visit(() -> assertEquals("hello", world.get(URL)), c -> {
        expect(c, "050100");
        c.sendSlowly("\5\0", 1, Duration.ofMillis(300));
        expect(c, TO_A);
        c.sendSlowly("\5\0\0\1\0\0\0\0\0\0", 1, Duration.ofMillis(300));
        answer(c, "a.test");
      });
    }
  }

  @Test
  void silentProxyRunsIntoTheConnectTimeout() throws Exception {
    try (ProxyWorld world = new ProxyWorld(SOCKS)) {
      world.serve(c -> {
        expect(c, "050100");
        send(c, "0500");
        expect(c, TO_A);
        assertFalse(c.hasMore());
      });
      world.visit(() -> {
        ConnectFailedException failure = world.failure(ConnectFailedException.class, URL);
        assertSays(failure, "Timeouts.connect allows 5000 ms");
        assertEquals(Duration.ofSeconds(5), failure.at().elapsed());
      });
    }
  }
}
