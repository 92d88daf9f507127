package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.ESTABLISHED;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.Authenticator;
import heddle.client.spi.Proxy;
import heddle.codec.Role;
import heddle.http.Credentials;
import heddle.http.Headers;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.failure.ProxyException;
import heddle.testkit.Http2Peer;
import heddle.testkit.RawConnection;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tunnels that are asked for, and refused, in ways of their own. */
@Timeout(60)
class TunnelFieldsTest {
  private static final String URL = "http://a.test/";
  private static final String CONNECT = "CONNECT a.test:80 HTTP/1.1\r\nHost: a.test:80\r\n";
  private static final String SHOWN = "Proxy-Authorization: key\r\n";
  private static final String REFUSED = "HTTP/1.1 407 Who?\r\nContent-Length: 0\r\n\r\n";

  /** HTTP/2 with prior knowledge is never forwarded. */
  private static ProxyWorld world(Proxy proxy, Authenticator... authenticators) {
    List<Proxy> order = List.of(proxy);
    return new ProxyWorld(builder -> {
      List.of(authenticators).forEach(builder::authenticator);
      return builder.proxies(origin -> order).version(HttpVersion.HTTP_2);
    });
  }

  /** Shows the same key a number of times. */
  private static final class Insistent implements Authenticator {
    private int left;

    Insistent(int left) {
      this.left = left;
    }

    @Override
    public boolean decidesAlone() {
      return true;
    }

    @Override
    public Credentials answer(Question question) throws IOException {
      if (left == 0) {
        throw new IOException("that was enough");
      }
      left--;
      return Credentials.verbatim("key");
    }
  }

  /** Answers a request in the tunnel, and returns its head. */
  private static String serve(RawConnection c) throws IOException {
    c.send(ESTABLISHED);
    Http2Peer h2 = Http2Peer.of(Role.SERVER, c);
    h2.handshake();
    var asked = h2.expectHeaders();
    h2.sendResponse(asked.streamId(), 200, "hello");
    c.drain();
    return asked.toString();
  }

  private static void get(ProxyWorld world, Request request) throws IOException {
    assertEquals("hello", world.world.client.send(request).string());
  }

  @Test
  void aTunnelIsAskedForWithTheFieldsOfItsProxy() throws Exception {
    Proxy proxy = HTTP.withTunnelFields(Headers.of("User-Agent", "x", "Proxy-Connection", "a"));
    try (ProxyWorld world = world(proxy, new Insistent(1))) {
      String fields = "User-Agent: x\r\nProxy-Connection: a\r\n";
      world.visit(() -> get(world, Request.get(URL)), c -> {
        c.expect(CONNECT + fields + "\r\n");
        c.send(REFUSED);
        c.expect(CONNECT + fields + SHOWN + "\r\n");
        String head = serve(c);
        assertFalse(head.contains("user-agent") || head.contains("proxy-"), head);
      });
    }
  }

  @Test
  void whatACallerShowsGoesIntoTheTunnelWhereItsProxyPassesIt() throws Exception {
    Request request =
        Request.builder(URL).header("Proxy-Authorization", "Basic x").build();
    try (ProxyWorld world = world(HTTP.passingCredentials())) {
      world.visit(() -> get(world, request), c -> {
        c.expect(CONNECT + "\r\n");
        String head = serve(c);
        assertTrue(head.contains("proxy-authorization") && head.contains("Basic x"), head);
      });
    }
  }

  /** More often than anything is shown otherwise, and where the proxy names no scheme. */
  @Test
  void whoDecidesAloneMayShowTheSameAgain() throws Exception {
    try (ProxyWorld world = world(HTTP, new Insistent(8))) {
      world.visit(() -> get(world, Request.get(URL)), c -> {
        c.expect(CONNECT + "\r\n");
        for (int i = 0; i < 8; i++) {
          c.send(REFUSED);
          c.expect(CONNECT + SHOWN + "\r\n");
        }
        serve(c);
      });
    }
  }

  @Test
  void whoDecidesAloneComesToAnEndItself() throws Exception {
    try (ProxyWorld world = world(HTTP, new Insistent(7))) {
      world.serve(c -> {
        c.expect(CONNECT + "\r\n");
        for (int i = 0; i < 7; i++) {
          c.send(REFUSED);
          c.expect(CONNECT + SHOWN + "\r\n");
        }
        c.send(REFUSED);
        c.drain();
      });
      world.visit(() -> {
        ProxyException failure =
            assertThrows(ProxyException.class, () -> world.world.client.send(Request.get(URL)));
        assertEquals("that was enough", failure.getCause().getMessage());
      });
    }
  }
}
