package heddle.client.proxy;

import static heddle.client.proxy.ProxyWorld.HELLO;
import static heddle.client.proxy.ProxyWorld.HTTP;
import static heddle.client.proxy.ProxyWorld.assertSays;
import static org.junit.jupiter.api.Assertions.assertEquals;

import heddle.client.settings.AddressPolicy;
import heddle.client.spi.Proxy;
import heddle.http.failure.AddressRefusedException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an address policy decides where there is a proxy, which resolves names itself. */
@Timeout(60)
class ProxyAddressesTest {
  private final List<String> asked = new CopyOnWriteArrayList<>();

  private AddressPolicy allBut(String refused) {
    return (host, address) -> {
      asked.add(host);
      return !host.equals(refused);
    };
  }

  @Test
  void addressesOfTheProxyAloneAreAskedAbout() throws Exception {
    try (ProxyWorld world =
        new ProxyWorld(builder -> builder.proxy(HTTP).addresses(allBut("a.test")))) {
      world.visit(() -> assertEquals("hello", world.get("http://a.test/")), c -> {
        c.expectHead();
        c.send(HELLO);
        c.expectEnd();
      });
      assertEquals(List.of("proxy.test"), asked);
    }
  }

  /** The next way would only go round the policy. */
  @Test
  void refusedProxyIsFollowedByNoOther() throws Exception {
    List<Proxy> order = List.of(HTTP, Proxy.DIRECT);
    try (ProxyWorld world = new ProxyWorld(
        builder -> builder.proxies(origin -> order).addresses(allBut("proxy.test")))) {
      world.world.network.run(() ->
          assertSays(world.failure(AddressRefusedException.class, "http://a.test/"), "proxy.test"));
      assertEquals(List.of("proxy.test"), asked);
    }
  }
}
