package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.RedirectPolicy;
import heddle.client.settings.Timeouts;
import heddle.http.Body;
import heddle.http.HttpVersion;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Sent;
import heddle.http.Status;
import heddle.http.failure.DeadlineExceededException;
import heddle.http.failure.TooManyRedirectsException;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Redirects followed over connections, and where following ends. */
@Timeout(60)
class RedirectsTest {
  /** What a test does with a server that has many names. */
  private interface Visit {
    void to(ClientWorld world, MockServer server) throws Exception;
  }

  private static void visit(RedirectPolicy policy, HttpVersion version, Visit visit)
      throws Exception {
    try (ClientWorld world = new ClientWorld(client -> client
        .redirects(policy)
        .version(version)
        .timeouts(Timeouts.builder().call(Duration.ofSeconds(20)).build()))) {
      world.network.run(() -> {
        try (MockServer server = MockServer.builder().network(world.network).start()) {
          visit.to(world, server);
          assertEquals(0, world.inUse());
          world.client.close();
        }
      });
    }
  }

  private static void visit(Visit visit) throws Exception {
    visit(RedirectPolicy.standard(), HttpVersion.HTTP_1_1, visit);
  }

  private static String url(MockServer server, String host, String path) {
    return "http://" + host + ":" + server.port() + path;
  }

  private static MockResponse found(String location) {
    return MockResponse.of(302).header("Location", location);
  }

  private static List<String> paths(MockServer server) {
    return server.requests().stream().map(RecordedRequest::target).toList();
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void theResponseTellsWhereItIsFromAndHowItCameThere(HttpVersion version) throws Exception {
    visit(RedirectPolicy.standard(), version, (world, server) -> {
      server.answer("/a", found("/b?x=1").header("X-Step", "one").body("moved"));
      server.answer("/b", MockResponse.of(307).header("Location", url(server, "b.test", "/c")));
      server.answer("/c", MockResponse.ok("Hello!"));
      Response response = world.client.send(Request.post(server.url("/a"), Body.of("content")));
      assertEquals("Hello!", response.string());
      assertEquals("b.test", response.request().origin().host());
      assertEquals("/c", response.request().target());
      assertEquals("GET", response.request().method().name());
      List<Response> earlier = response.earlier();
      assertEquals(2, earlier.size());
      assertEquals(Status.FOUND, earlier.getFirst().status());
      assertEquals("one", earlier.getFirst().headers().first("X-Step"));
      assertEquals("", earlier.getFirst().string());
      assertEquals("/a", earlier.getFirst().request().target());
      assertEquals("POST", earlier.getFirst().request().method().name());
      assertEquals("/b?x=1", earlier.getLast().request().target());
      assertEquals(List.of("/a", "/b?x=1", "/c"), paths(server));
      assertEquals("content", server.requests().getFirst().text());
      assertNull(server.requests().get(1).header("Content-Type"));
    });
  }

  @Test
  void noneIsFollowedUnlessAskedFor() throws Exception {
    visit(RedirectPolicy.never(), HttpVersion.HTTP_1_1, (world, server) -> {
      server.answer("/a", found("/b").body("moved"));
      Response response = world.client.send(Request.get(server.url("/a")));
      assertEquals(Status.FOUND, response.status());
      assertEquals("moved", response.string());
      assertEquals("/a", response.request().target());
      assertEquals(List.of(), response.earlier());
    });
  }

  @Test
  void whatIsNotFollowedKeepsItsBody() throws Exception {
    visit((world, server) -> {
      server.answer("/a", found("ftp://b.test/x").body("moved"));
      Response response = world.client.send(Request.get(server.url("/a")));
      assertEquals(Status.FOUND, response.status());
      assertEquals("moved", response.string());
      assertEquals("/a", response.request().target());
    });
  }

  @Test
  void contentIsSentAgainWhereTheMethodStays() throws Exception {
    visit((world, server) -> {
      server.answer("/a", MockResponse.of(308).header("Location", "/b"));
      server.answer("/b", MockResponse.ok("Hello!"));
      world.client.send(Request.put(server.url("/a"), Body.of("content"))).close();
      RecordedRequest last = server.requests().getLast();
      assertEquals("PUT", last.method());
      assertEquals("content", last.text());
      assertEquals("text/plain; charset=utf-8", last.header("Content-Type"));
    });
  }

  @Test
  void credentialsStayWithTheirOriginThoughTheCallComesBackToIt() throws Exception {
    visit((world, server) -> {
      server.answer("/a", found("/b"));
      server.answer("/b", found(url(server, "b.test", "/c")));
      server.answer("/c", found(url(server, "a.test", "/d")));
      Request request = Request.builder(url(server, "a.test", "/a"))
          .header("Authorization", "Bearer secret")
          .header("Cookie", "id=1")
          .build();
      assertEquals(404, world.client.send(request).status().code());
      List<RecordedRequest> came = server.requests();
      assertEquals(4, came.size());
      assertEquals("Bearer secret", came.get(1).header("Authorization"));
      assertEquals("id=1", came.get(1).header("Cookie"));
      for (RecordedRequest later : came.subList(2, 4)) {
        assertNull(later.header("Authorization"));
        assertNull(later.header("Cookie"));
      }
      assertEquals("a.test:" + server.port(), came.getLast().header("Host"));
    });
  }

  @Test
  void tooManyEndTheCallWithTheirNumber() throws Exception {
    visit(RedirectPolicy.builder().most(3).build(), HttpVersion.HTTP_1_1, (world, server) -> {
      server.handler(request -> found(request.target() + "x?key=secret"));
      TooManyRedirectsException failure = assertThrows(
          TooManyRedirectsException.class, () -> world.client.send(Request.get(server.url("/"))));
      assertFalse(failure.isCircle());
      assertTrue(failure.getMessage().contains("3 times"), failure.getMessage());
      assertFalse(failure.getMessage().contains("secret"), failure.getMessage());
      assertEquals(Sent.YES, failure.at().sent());
      assertEquals(4, server.requests().size());
    });
  }

  @Test
  void asManyAsAreAllowedAreFollowed() throws Exception {
    visit((world, server) -> {
      for (int i = 0; i < 10; i++) {
        server.answer("/" + i, found("/" + (i + 1)));
      }
      server.answer("/10", MockResponse.ok("Hello!"));
      Response response = world.client.send(Request.get(server.url("/0")));
      assertEquals("Hello!", response.string());
      assertEquals(10, response.earlier().size());
    });
  }

  @Test
  void aCircleIsFoundAtOnce() throws Exception {
    visit((world, server) -> {
      server.answer("/a", found("/b"));
      server.answer("/b", found("/c"));
      server.answer("/c", found("/b"));
      TooManyRedirectsException failure = assertThrows(
          TooManyRedirectsException.class, () -> world.client.send(Request.get(server.url("/a"))));
      assertTrue(failure.isCircle());
      assertTrue(failure.getMessage().contains("/b"), failure.getMessage());
      assertEquals(List.of("/a", "/b", "/c"), paths(server));
    });
  }

  @Test
  void aServerThatSetsACookieMaySendItsClientToTheSamePlaceAgain() throws Exception {
    visit((world, server) -> {
      server.enqueue("/a", found("/a").header("Set-Cookie", "seen=1"));
      server.enqueue("/a", MockResponse.ok("Hello!"));
      assertEquals("Hello!", world.client.send(Request.get(server.url("/a"))).string());
    });
  }

  @Test
  void aRequestThatComesBackWithoutItsCredentialsIsNoCircle() throws Exception {
    visit((world, server) -> {
      String here = url(server, "a.test", "/a");
      server.enqueue("/a", found(url(server, "b.test", "/b")));
      server.enqueue("/b", found(here));
      server.enqueue("/a", MockResponse.ok("Hello!"));
      Request request =
          Request.builder(here).header("Authorization", "Bearer x").build();
      assertEquals("Hello!", world.client.send(request).string());
    });
  }

  @Test
  void aPostThatIsSentToItsOwnPlaceAsAGetIsNoCircle() throws Exception {
    visit((world, server) -> {
      server.enqueue("/a", MockResponse.of(303).header("Location", "/a"));
      server.enqueue("/a", MockResponse.ok("Hello!"));
      Request post = Request.post(server.url("/a"), Body.empty());
      assertEquals("Hello!", world.client.send(post).string());
    });
  }

  @Test
  void aSmallBodyIsReadSoThatTheConnectionIsUsedAgainAndALargeOneIsGivenUp() throws Exception {
    visit((world, server) -> {
      server.enqueue("/a", found("/b").body(new byte[20_000]));
      server.enqueue("/a", found("/b").body(new byte[20_000]).chunked());
      server.enqueue("/a", found("/b").body(new byte[5_000_000]));
      server.answer("/b", MockResponse.ok("Hello!"));
      for (int i = 0; i < 3; i++) {
        assertEquals("Hello!", world.client.send(Request.get(server.url("/a"))).string());
      }
      assertEquals(
          List.of(1, 1, 1, 1, 1, 2),
          server.requests().stream().map(RecordedRequest::connection).toList());
    });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theRestOfASmallBodyIsAwaitedSinceANewConnectionCostsMore(boolean chunked) throws Exception {
    String framing = chunked ? "Transfer-Encoding: chunked" : "Content-Length: 5";
    String part = chunked ? "2\r\nmo\r\n" : "mo";
    String rest = chunked ? "3\r\nved\r\n0\r\n\r\n" : "ved";
    try (ClientWorld world =
        new ClientWorld(client -> client.redirects(RedirectPolicy.standard()))) {
      world.visit(peer -> assertEquals("Hello!", world.get(peer).string()), c -> {
        c.expectHead();
        c.send("HTTP/1.1 302 Found\r\nLocation: /b\r\n" + framing + "\r\n\r\n" + part);
        c.sleep(Duration.ofMillis(50));
        c.send(rest);
        assertTrue(c.expectHead().startsWith("GET /b "));
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!");
      });
    }
  }

  @Test
  void aRedirectWhoseBodyBreaksOffIsFollowedAllTheSame() throws Exception {
    try (ClientWorld world =
        new ClientWorld(client -> client.redirects(RedirectPolicy.standard()))) {
      world.visit(
          peer -> assertEquals("Hello!", world.get(peer).string()),
          c -> {
            c.expectHead();
            c.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 5\r\n\r\nmo");
            c.sleep(Duration.ofMillis(50));
            c.close();
          },
          c -> {
            c.expectHead();
            c.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nHello!");
          });
    }
  }

  @Test
  void oneDeadlineHoldsForAllRedirects() throws Exception {
    visit((world, server) -> {
      server.handler(request -> found(request.target() + "x").after(Duration.ofSeconds(6)));
      DeadlineExceededException failure = assertThrows(
          DeadlineExceededException.class, () -> world.client.send(Request.get(server.url("/"))));
      assertEquals(20, failure.at().elapsed().toSeconds());
      assertEquals(4, server.requests().size());
    });
  }
}
