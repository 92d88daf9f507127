package heddle.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import heddle.http.HttpVersion;
import heddle.http.Origin;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Routes as keys. */
class RouteTest {
  private static final Origin ORIGIN = Origin.http("a.test", 80);

  @Test
  void routesWithTheSameOriginAndVersionAreEqual() {
    assertEquals(new Route(ORIGIN), new Route(Origin.http("A.test", 80)));
    assertNotEquals(new Route(ORIGIN), new Route(ORIGIN, HttpVersion.HTTP_2));
  }

  /** The order of a map whose keys are routes follows from it, and so does a simulated world. */
  @Test
  void theHashIsTheSameInEveryProcess() {
    assertEquals(-1_987_383_703, new Route(ORIGIN).hashCode());
    assertEquals(154_073_252, new Route(ORIGIN, HttpVersion.HTTP_2).hashCode());
  }

  @Test
  void originsInCleartextShareTheConnectionsToAForwardingProxy() {
    List<Proxy> proxies = List.of(Proxy.https("p", 3128), Proxy.http("q", 3128));
    Route route = Route.through(proxies, ORIGIN, null);
    assertEquals(route, Route.through(proxies, Origin.http("b.test", 81), HttpVersion.HTTP_1_1));
    assertEquals(Origin.http("p", 3128), route.origin());
    assertNotEquals(route, Route.through(proxies.subList(0, 1), ORIGIN, null));
    assertNotEquals(route, new Route(Origin.http("p", 3128)));
  }

  @Test
  void whatIsTunnelledIsSharedByItsOriginAlone() {
    Origin secure = Origin.https("a.test", 443);
    List<Proxy> proxies = List.of(Proxy.http("p", 3128));
    assertEquals(secure, Route.through(proxies, secure, null).origin());
    assertEquals(ORIGIN, Route.through(proxies, ORIGIN, HttpVersion.HTTP_2).origin());
    List<Proxy> mixed = List.of(Proxy.http("p", 3128), Proxy.DIRECT);
    assertEquals(ORIGIN, Route.through(mixed, ORIGIN, null).origin());
    List<Proxy> socks = List.of(Proxy.socks5("p", 1080));
    assertEquals(ORIGIN, Route.through(socks, ORIGIN, null).origin());
    assertFalse(Route.through(socks, ORIGIN, null).isDirect());
  }

  @Test
  void noProxyIsADirectRoute() {
    assertEquals(new Route(ORIGIN), Route.through(List.of(), ORIGIN, null));
    assertEquals(new Route(ORIGIN), Route.through(List.of(Proxy.DIRECT), ORIGIN, null));
  }

  @Test
  void textNamesTheProxiesWithoutCredentials() {
    Proxy proxy = Proxy.socks5("p", 1080).withCredentials("somebody", "secret");
    assertEquals(
        "http://a.test:80 through [socks5://p:1080]",
        Route.through(List.of(proxy), ORIGIN, null).toString());
  }
}
