package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.HELLO;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.spi.CallSummary;
import heddle.client.spi.ExchangeListener;
import heddle.client.spi.NoProxy;
import heddle.client.spi.Proxy;
import heddle.client.spi.ProxySelector;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.failure.ConnectFailedException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests in cleartext, which an HTTP proxy sends on. */
@Timeout(60)
class ForwardTest {
  private static final Proxy KNOWN = HTTP.withCredentials("me", "pw");

  private static String get(String target, String host, String fields) {
    return "GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + fields + "\r\n";
  }

  private static final String GET_A = get("http://a.test/", "a.test", "");

  @Test
  void targetIsInAbsoluteForm() throws Exception {
    try (ProxyWorld world = new ProxyWorld(HTTP)) {
      world.visit(() -> assertEquals("hello", world.get("http://a.test:8080/x?y=z")), c -> {
        c.expect(get("http://a.test:8080/x?y=z", "a.test:8080", ""));
        c.send(HELLO);
        c.expectEnd();
      });
      assertEquals(List.of("proxy.test"), world.lookedUp);
    }
  }

  @Test
  void originsShareTheConnectionsToTheProxy() throws Exception {
    try (ProxyWorld world = new ProxyWorld(HTTP)) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(HELLO);
        c.expect(get("http://b.test/", "b.test", ""));
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        world.get("http://a.test/");
        world.get("http://b.test/");
        assertEquals(1, world.world.pool().open());
      });
    }
  }

  /** RFC 9112 §3.2.4: the path is empty, of which the last proxy makes an asterisk. */
  @Test
  void asteriskFormHasNoPath() throws Exception {
    try (ProxyWorld world = new ProxyWorld(HTTP)) {
      Request request =
          Request.builder(Origin.http("a.test", 80), Method.OPTIONS, "*").build();
      world.visit(() -> world.world.client.send(request).close(), c -> {
        c.expect("OPTIONS http://a.test HTTP/1.1\r\nHost: a.test\r\n\r\n");
        c.send(HELLO);
        c.expectEnd();
      });
    }
  }

  /** RFC 9112 §3.2.2: what says otherwise would make two recipients see two origins. */
  @Test
  void hostIsThatOfTheTarget() throws Exception {
    try (ProxyWorld world = new ProxyWorld(HTTP)) {
      Request request =
          Request.builder("http://a.test/").header("Host", "other.test").build();
      world.visit(() -> world.world.client.send(request).close(), c -> {
        c.expect(GET_A);
        c.send(HELLO);
        c.expectEnd();
      });
    }
  }

  @Test
  void proxyThatCannotBeReachedIsNamed() throws Exception {
    try (ProxyWorld world = new ProxyWorld(HTTP)) {
      world.world.network.run(() -> assertSays(
          world.failure(ConnectFailedException.class, "http://a.test/"),
          "cannot connect to the proxy http://proxy.test:3128: "));
    }
  }

  @Test
  void selectorDecidesForEachOrigin() throws Exception {
    try (ProxyWorld world = new ProxyWorld(
        builder -> builder.proxies(ProxySelector.fixed(HTTP, NoProxy.parse("b.test"))))) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(HELLO);
        c.expectEnd();
      });
      world.serve(c -> {
        c.expect(get("/", "b.test:3128", ""));
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        world.get("http://a.test/");
        // The same address, as it happens: what is said tells the two apart.
        world.get("http://b.test:3128/");
      });
    }
  }

  @Test
  void selectorThatAnswersNullIsRefused() throws Exception {
    try (ProxyWorld world = new ProxyWorld(builder -> builder.proxies(origin -> null))) {
      world.world.network.run(() -> {
        String message = assertThrows(NullPointerException.class, () -> world.get("http://a.test/"))
            .getMessage();
        assertTrue(message.contains("empty list"), message);
      });
    }
  }

  /** Listeners are told of each connection which proxy it leads through. */
  @Test
  void listenersSeeTheProxy() throws Exception {
    List<CallSummary> ended = new CopyOnWriteArrayList<>();
    ExchangeListener listener = new ExchangeListener() {
      @Override
      public void callEnded(CallSummary summary) {
        ended.add(summary);
      }
    };
    try (ProxyWorld world = new ProxyWorld(builder -> builder.proxy(KNOWN).listener(listener))) {
      world.visit(() -> world.get("http://a.test/"), c -> {
        c.expect(GET_A);
        c.send(HELLO);
        c.expectEnd();
      });
    }
    assertEquals(KNOWN, ended.getFirst().connection().proxy());
    assertFalse(ended.getFirst().toString().contains("pw"));
  }

  @Test
  void requestOfAConnectionThatTurnedOutDeadIsRepeated() throws Exception {
    try (ProxyWorld world = new ProxyWorld(KNOWN)) {
      world.serve(c -> {
        c.expect(GET_A);
        c.send(HELLO);
        c.expect(GET_A);
      });
      world.serve(c -> {
        c.expect(GET_A);
        c.send(HELLO);
        c.expectEnd();
      });
      world.visit(() -> {
        world.get("http://a.test/");
        assertEquals("hello", world.get("http://a.test/"));
      });
    }
  }
}
