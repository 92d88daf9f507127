package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.AddressPolicy;
import heddle.client.settings.RedirectPolicy;
import heddle.http.Phase;
import heddle.http.Request;
import heddle.http.Sent;
import heddle.http.failure.AddressRefusedException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.names.Resolver;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No connection is opened to an address that the policy does not allow, redirects included. */
@Timeout(60)
class AddressesTest {
  private static final AddressPolicy NO_INTERNAL = (host, address) -> !host.equals("internal.test");

  @Test
  void anAddressThatIsNotAllowedIsNotConnectedTo() throws Exception {
    try (ClientWorld world =
        new ClientWorld(client -> client.addresses(AddressPolicy.publicOnly()))) {
      world.network.run(() -> {
        AddressRefusedException refused = assertThrows(
            AddressRefusedException.class,
            () -> world.client.send(Request.get("http://evil.test:81/")));
        assertTrue(refused.getMessage().contains("evil.test"), refused.getMessage());
        assertEquals(Phase.RESOLVE, refused.at().phase());
        assertEquals(Sent.NO, refused.at().sent());
        assertEquals(0, world.network.connections().size());
        assertEquals(0, world.pool().open());
      });
    }
  }

  @Test
  void redirectsAreNoWayAroundThePolicy() throws Exception {
    try (ClientWorld world = new ClientWorld(
        client -> client.addresses(NO_INTERNAL).redirects(RedirectPolicy.standard()))) {
      world.network.run(() -> {
        try (MockServer server = MockServer.builder().network(world.network).start()) {
          server.answer(
              "/",
              MockResponse.of(302)
                  .header("Location", "http://internal.test:" + server.port() + "/secret"));
          assertThrows(
              AddressRefusedException.class, () -> world.client.send(Request.get(server.url("/"))));
          assertEquals(1, server.requests().size());
          world.client.close();
        }
      });
    }
  }

  @Test
  void ofSeveralAddressesOnlyThoseAreTriedThatAreAllowed() throws Exception {
    InetAddress refused = InetAddress.getByName("10.1.2.3");
    AtomicBoolean asked = new AtomicBoolean();
    Resolver both = (host, deadline) -> List.of(refused, InetAddress.getLoopbackAddress());
    AddressPolicy loopback = (host, address) -> {
      asked.compareAndSet(false, address.equals(refused));
      return address.isLoopbackAddress();
    };
    try (ClientWorld world = new ClientWorld(client -> client.resolver(both).addresses(loopback))) {
      world.network.run(() -> {
        try (MockServer server = MockServer.builder().network(world.network).start()) {
          server.answer("/", MockResponse.ok("Hello!"));
          String url = "http://a.test:" + server.port() + "/";
          assertEquals("Hello!", world.client.send(Request.get(url)).string());
          assertTrue(asked.get());
          assertEquals(1, world.network.connections().size());
          world.client.close();
        }
      });
    }
  }
}
