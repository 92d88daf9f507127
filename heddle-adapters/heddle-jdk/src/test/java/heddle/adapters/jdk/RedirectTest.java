package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import heddle.testkit.mock.TestIdentity;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Redirects by the JDK's rules. */
@Timeout(60)
class RedirectTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
    server.handler(request -> MockResponse.ok(
        request.method() + " " + request.text() + " " + request.header("Authorization")));
  }

  private static HttpClient following(Stack stack, Redirect policy) {
    return stack
        .builder()
        .proxy(HttpClient.Builder.NO_PROXY)
        .followRedirects(policy)
        .build();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(server.url(path)))
        .version(Version.HTTP_1_1)
        .header("Authorization", "Bearer x");
  }

  @ParameterizedTest
  @EnumSource
  void noneIsFollowedByDefault(Stack stack) throws Exception {
    server.answer("/a", MockResponse.of(302).header("Location", "/b"));
    try (HttpClient client = stack.client()) {
      assertEquals(302, client.send(to("/a").build(), BodyHandlers.ofString()).statusCode());
    }
  }

  @ParameterizedTest
  @EnumSource
  void methodAndContentFollowTheStatus(Stack stack) throws Exception {
    record Case(int status, String method, String expected) {}
    List<Case> cases = List.of(
        new Case(301, "POST", "GET  Bearer x"),
        new Case(302, "POST", "GET  Bearer x"),
        new Case(303, "POST", "GET  Bearer x"),
        new Case(303, "PUT", "GET  Bearer x"),
        new Case(303, "HEAD", "GET  Bearer x"),
        new Case(307, "POST", "POST text Bearer x"),
        new Case(308, "PUT", "PUT text Bearer x"),
        new Case(301, "PUT", "PUT text Bearer x"));
    try (HttpClient client = following(stack, Redirect.NORMAL)) {
      for (Case each : cases) {
        server.enqueue("/a", MockResponse.of(each.status()).header("Location", "b?c"));
        HttpRequest request =
            to("/a").method(each.method(), BodyPublishers.ofString("text")).build();
        HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
        assertEquals(each.expected(), response.body(), each.toString());
        assertEquals(URI.create(server.url("/b?c")), response.uri());
        HttpResponse<String> before = response.previousResponse().orElseThrow();
        assertEquals(each.status(), before.statusCode());
        assertEquals(request, before.request());
        assertNull(before.body());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void othersAreTheCallers(Stack stack) throws Exception {
    try (HttpClient client = following(stack, Redirect.ALWAYS)) {
      for (int status : new int[] {300, 304, 305, 306}) {
        server.enqueue("/a", MockResponse.of(status).header("Location", "/b"));
        assertEquals(
            status, client.send(to("/a").build(), BodyHandlers.ofString()).statusCode());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void fourAreFollowed(Stack stack) throws Exception {
    server.answer("/loop", MockResponse.of(302).header("Location", "/loop"));
    try (HttpClient client = following(stack, Redirect.NORMAL)) {
      HttpResponse<String> last = client.send(to("/loop").build(), BodyHandlers.ofString());
      assertEquals(302, last.statusCode());
      assertEquals(5, server.requests().size());
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anotherOriginGetsNoCredentials(Stack stack) throws Exception {
    try (MockServer other = MockServer.start();
        HttpClient client = following(stack, Redirect.NORMAL)) {
      other.handler(request ->
          MockResponse.ok(request.header("Authorization") + " " + request.header("X-One")));
      server.enqueue("/a", MockResponse.of(307).header("Location", other.url("/b")));
      HttpRequest request = to("/a").header("X-One", "1").build();
      assertEquals("null 1", client.send(request, BodyHandlers.ofString()).body());
    }
  }

  @Test
  void anotherOriginGetsNoFieldsMeantForOneOrigin() throws Exception {
    List<String> names = List.of("Authorization", "Cookie", "Origin", "Referer");
    try (MockServer other = MockServer.start();
        HttpClient client = following(Stack.HEDDLE, Redirect.NORMAL)) {
      server.enqueue("/a", MockResponse.of(307).header("Location", other.url("/b")));
      HttpRequest.Builder request = to("/a");
      names.forEach(name -> request.setHeader(name, "here"));
      client.send(request.build(), BodyHandlers.discarding());
      RecordedRequest first = server.takeRequest();
      RecordedRequest second = other.takeRequest();
      for (String name : names) {
        assertEquals("here", first.header(name), name);
        assertNull(second.header(name), name);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRedirectToNowhereIsAnIoException(Stack stack) throws Exception {
    server.enqueue("/a", MockResponse.of(302));
    try (HttpClient client = following(stack, Redirect.NORMAL)) {
      assertThrows(IOException.class, () -> client.send(to("/a").build(), BodyHandlers.ofString()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void onlyAlwaysFollowsFromHttpsToHttp(Stack stack) throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
    try (MockServer secure = MockServer.builder().tls(identity.server()).start()) {
      secure.answer("/a", MockResponse.of(302).header("Location", server.url("/b")));
      HttpRequest request = HttpRequest.newBuilder(URI.create(secure.url("/a"))).build();
      for (Redirect policy : List.of(Redirect.NORMAL, Redirect.ALWAYS)) {
        try (HttpClient client = stack
            .builder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .sslContext(identity.trusting())
            .followRedirects(policy)
            .build()) {
          assertEquals(
              policy == Redirect.ALWAYS ? 200 : 302,
              client.send(request, BodyHandlers.ofString()).statusCode());
        }
      }
    }
  }
}
