package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.HELLO;
import static heddle.client.proxy.ProxyWorld.PORT;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import heddle.client.spi.Proxy;
import heddle.http.HttpVersion;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.ProxyException;
import heddle.testkit.ScriptedPeer.Script;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A selector that answers with several proxies. */
@Timeout(60)
class ProxyOrderTest {
  private static final Proxy FIRST = Proxy.http("first.test", PORT);
  private static final Proxy SECOND = Proxy.http("second.test", PORT + 1);
  private static final String URL = "http://a.test/";

  @AutoClose
  private ProxyWorld world;

  private static ProxyWorld world(Proxy... proxies) {
    List<Proxy> order = List.of(proxies);
    return new ProxyWorld(builder -> builder.proxies(origin -> order));
  }

  private static final Script FORWARDS = c -> {
    c.expect("GET http://a.test/ HTTP/1.1\r\nHost: a.test\r\n\r\n");
    c.send(HELLO);
    assertFalse(c.hasMore());
  };

  @Test
  void nextIsTriedWhereOneCannotBeReached() throws Exception {
    world = world(FIRST, SECOND);
    world.visit(PORT + 1, () -> assertEquals("hello", world.get(URL)), FORWARDS);
    assertEquals(List.of("first.test", "second.test"), world.lookedUp);
  }

  @Test
  void directMayBeTheLast() throws Exception {
    world = world(FIRST, Proxy.DIRECT);
    world.visit(80, () -> assertEquals("hello", world.get(URL)), c -> {
      c.expect("GET / HTTP/1.1\r\nHost: a.test\r\n\r\n");
      c.send(HELLO);
      assertFalse(c.hasMore());
    });
  }

  @Test
  void proxyThatMayBeFollowedByNoneForwardsAllTheSame() throws Exception {
    world = world(FIRST, Proxy.DIRECT);
    world.visit(() -> assertEquals("hello", world.get(URL)), FORWARDS);
  }

  @Test
  void whatGoesWrongWithAllNamesThemAll() throws Exception {
    world = world(FIRST, SECOND);
    world.world.network.run(() -> {
      ConnectFailedException failure = world.failure(ConnectFailedException.class, URL);
      assertSays(failure, "cannot connect to the proxy http://second.test:3129");
      ConnectFailedException earlier = (ConnectFailedException) failure.getSuppressed()[0];
      assertSays(earlier, "cannot connect to the proxy http://first.test:3128");
    });
  }

  private static ProxyWorld tunnelling() {
    return new ProxyWorld(
        builder -> builder.proxies(origin -> List.of(FIRST, SECOND)).version(HttpVersion.HTTP_2));
  }

  /** It has been asked and has said no: going round it is not for the client to decide. */
  @Test
  void refusalIsFinal() throws Exception {
    world = tunnelling();
    world.serve(c -> {
      c.expectHead();
      c.send("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
    });
    world.visit(() ->
        assertSays(world.failure(ProxyException.class, URL), "http://first.test:3128", "403"));
    assertEquals(List.of("first.test"), world.lookedUp);
  }

  @Test
  void nonsenseIsNot() throws Exception {
    world = tunnelling();
    world.serve(c -> {
      c.expectHead();
      c.send("what?\r\n\r\n");
    });
    world.visit(() ->
        assertSays(world.failure(ConnectFailedException.class, URL), "http://second.test:3129"));
  }

  /** Not each connection waits for the timeout: for 30 s the one that failed is tried last. */
  @Test
  void proxyThatFailedIsTriedLastForAWhile() throws Exception {
    world = world(FIRST, SECOND);
    Script closes = c -> {
      c.expectHead();
      c.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello");
    };
    world.visit(
        PORT + 1,
        () -> {
          world.world.network.blackHole(ProxyWorld.at(PORT));
          assertEquals(Duration.ofSeconds(5), timeOfGet(world));
          assertEquals(Duration.ZERO, timeOfGet(world));
          world.world.network.sleep(Duration.ofSeconds(31));
          assertEquals(Duration.ofSeconds(5), timeOfGet(world));
        },
        closes,
        closes,
        closes);
  }

  private static Duration timeOfGet(ProxyWorld world) throws IOException {
    Duration began = world.world.now();
    world.get(URL);
    return world.world.now().minus(began).truncatedTo(ChronoUnit.SECONDS);
  }
}
