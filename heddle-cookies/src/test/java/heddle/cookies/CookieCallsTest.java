package heddle.cookies;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import heddle.client.HttpClient;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.CookieStore;
import heddle.http.Request;
import heddle.testkit.SimNetwork;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.net.CookieManager;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Cookies in calls of a client, from one response to the next request. */
@Timeout(60)
class CookieCallsTest {
  /** What a test does with a server that has many names. */
  private interface Visit {
    void to(HttpClient client, MockServer server) throws Exception;
  }

  private static void visit(CookieStore store, Visit visit) throws Exception {
    try (SimNetwork network = SimNetwork.builder().virtualTime().build()) {
      network.run(() -> {
        try (MockServer server = MockServer.builder().network(network).start();
            HttpClient client = HttpClient.builder()
                .network(network.lasting())
                .resolver((host, deadline) -> List.of(InetAddress.getLoopbackAddress()))
                .redirects(RedirectPolicy.standard())
                .cookies(store)
                .build()) {
          visit.to(client, server);
        }
      });
    }
  }

  private static String url(MockServer server, String host, String path) {
    return "http://" + host + ":" + server.port() + path;
  }

  private static List<String> cookies(MockServer server) {
    return server.requests().stream()
        .map(request -> request.target() + " " + request.header("Cookie"))
        .toList();
  }

  @Test
  void cookiesOfARedirectAreSentWhereTheyBelongAndNowhereElse() throws Exception {
    visit(Rfc6265CookieStore.create(), (client, server) -> {
      server.answer(
          "/login",
          MockResponse.of(303)
              .header("Location", "/home")
              .header("Set-Cookie", "sid=1; Path=/; HttpOnly")
              .header("Set-Cookie", "form=2; Path=/login"));
      server.answer(
          "/home", MockResponse.of(302).header("Location", url(server, "other.test", "/there")));
      server.answer("/there", MockResponse.ok("Hello!"));
      assertEquals(
          "Hello!", client.send(Request.get(url(server, "a.test", "/login"))).string());
      assertEquals(List.of("/login null", "/home sid=1", "/there null"), cookies(server));
      client.send(Request.get(url(server, "a.test", "/login"))).close();
      assertEquals("/login form=2; sid=1", cookies(server).get(3));
    });
  }

  @Test
  void fieldOfTheUsersOwnIsSentAlone() throws Exception {
    visit(Rfc6265CookieStore.create(), (client, server) -> {
      server.answer("/", MockResponse.ok("x").header("Set-Cookie", "sid=1"));
      client.send(Request.get(server.url("/"))).close();
      Request own = Request.builder(server.url("/")).header("Cookie", "mine=1").build();
      client.send(own).close();
      assertEquals("mine=1", server.requests().getLast().header("Cookie"));
    });
  }

  @Test
  void handlerOfTheJdkKeepsThemToo() throws Exception {
    visit(new CookieHandlerStore(new CookieManager()), (client, server) -> {
      server.answer("/", MockResponse.ok("x").header("Set-Cookie", "sid=1; Path=/"));
      client.send(Request.get(server.url("/"))).close();
      RecordedRequest first = server.requests().getLast();
      assertNull(first.header("Cookie"));
      client.send(Request.get(server.url("/"))).close();
      assertEquals("sid=1", server.requests().getLast().header("Cookie"));
    });
  }
}
