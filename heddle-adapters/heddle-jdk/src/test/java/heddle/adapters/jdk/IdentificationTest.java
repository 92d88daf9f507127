package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Cookies, passwords and proxies. */
@Timeout(60)
class IdentificationTest {
  private static final String GOOD = "Basic "
      + Base64.getEncoder().encodeToString("me:secret".getBytes(StandardCharsets.US_ASCII));

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create(server.url(path))).version(Version.HTTP_1_1);
  }

  private static HttpClient.Builder direct(Stack stack) {
    return stack.builder().proxy(HttpClient.Builder.NO_PROXY);
  }

  // ---- cookies

  @ParameterizedTest
  @EnumSource
  void cookiesAreKeptAndSent(Stack stack) throws Exception {
    server.answer(
        "/set", MockResponse.of(302).header("Set-Cookie", "a=1; Path=/").header("Location", "/x"));
    server.handler(request -> MockResponse.ok(String.valueOf(request.header("Cookie"))));
    try (HttpClient client = direct(stack)
        .cookieHandler(new CookieManager())
        .followRedirects(Redirect.NORMAL)
        .build()) {
      assertEquals(
          "null", client.send(to("/x").build(), BodyHandlers.ofString()).body());
      assertEquals(
          "a=1", client.send(to("/set").build(), BodyHandlers.ofString()).body());
      HttpRequest own = to("/x").header("Cookie", "b=2").build();
      String both = client.send(own, BodyHandlers.ofString()).body();
      assertEquals(
          List.of("a=1", "b=2"), List.of(both.split("; ", -1)).stream().sorted().toList());
    }
  }

  // ---- passwords

  private static Authenticator answering(List<String> asked, String... passwords) {
    return new Authenticator() {
      private int next;

      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        asked.add(getRequestorType() + " " + getRequestingPrompt() + " " + getRequestingScheme()
            + " " + getRequestingProtocol() + " " + getRequestingHost() + " "
            + (getRequestingURL() == null ? null : getRequestingURL().getPath()));
        String password = passwords[Math.min(next++, passwords.length - 1)];
        return password == null ? null : new PasswordAuthentication("me", password.toCharArray());
      }
    };
  }

  private static MockResponse guarded(RecordedRequest request) {
    return GOOD.equals(request.header("Authorization"))
        ? MockResponse.ok("in " + request.text())
        : MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"here\"");
  }

  @ParameterizedTest
  @EnumSource
  void aPasswordIsRequestedOnceAndSentAgain(Stack stack) throws Exception {
    server.handler(IdentificationTest::guarded);
    List<String> asked = new ArrayList<>();
    try (HttpClient client =
        direct(stack).authenticator(answering(asked, "secret")).build()) {
      HttpRequest post = to("/a/b").POST(BodyPublishers.ofString("text")).build();
      HttpResponse<String> response = client.send(post, BodyHandlers.ofString());
      assertEquals("in text", response.body());
      assertEquals(401, response.previousResponse().orElseThrow().statusCode());
      assertEquals(
          "in ", client.send(to("/a/c/d").build(), BodyHandlers.ofString()).body());
    }
    assertEquals(List.of("SERVER here basic http 127.0.0.1 /a/b"), asked);
    assertEquals(3, server.requests().size());
  }

  @ParameterizedTest
  @EnumSource
  void aWrongPasswordIsRequestedAgain(Stack stack) throws Exception {
    server.handler(IdentificationTest::guarded);
    List<String> asked = new ArrayList<>();
    Authenticator authenticator = answering(asked, "wrong", "secret");
    try (HttpClient client = direct(stack).authenticator(authenticator).build()) {
      assertEquals("in ", client.send(to("/").build(), BodyHandlers.ofString()).body());
    }
    assertEquals(2, asked.size());
  }

  @ParameterizedTest
  @EnumSource
  void tooManyWrongPasswordsAreAnIoException(Stack stack) throws Exception {
    server.handler(IdentificationTest::guarded);
    List<String> asked = new ArrayList<>();
    try (HttpClient client =
        direct(stack).authenticator(answering(asked, "wrong")).build()) {
      IOException failed = assertThrows(
          IOException.class, () -> client.send(to("/").build(), BodyHandlers.ofString()));
      assertTrue(failed.getMessage().contains("too many"), failed.getMessage());
    }
    assertEquals(4, asked.size());
  }

  @ParameterizedTest
  @EnumSource
  void noPasswordIsAnIoException(Stack stack) throws Exception {
    server.handler(IdentificationTest::guarded);
    Authenticator authenticator = answering(new ArrayList<>(), (String) null);
    try (HttpClient client = direct(stack).authenticator(authenticator).build()) {
      assertThrows(IOException.class, () -> client.send(to("/").build(), BodyHandlers.ofString()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void credentialsOfTheRequestAreNotReplaced(Stack stack) throws Exception {
    assumeTrue(
        NewerApi.IS_THERE || stack == Stack.HEDDLE,
        "the JDK's client of 21 replaces credentials of the request");
    server.handler(IdentificationTest::guarded);
    List<String> asked = new ArrayList<>();
    try (HttpClient client =
        direct(stack).authenticator(answering(asked, "secret")).build()) {
      HttpRequest own = to("/").header("Authorization", "Basic eDp5").build();
      assertEquals(401, client.send(own, BodyHandlers.ofString()).statusCode());
    }
    assertEquals(List.of(), asked);
  }

  @ParameterizedTest
  @EnumSource
  void credentialsOfTheRequestOverrideKnownOnes(Stack stack) throws Exception {
    assumeTrue(
        NewerApi.IS_THERE || stack == Stack.HEDDLE,
        "the JDK's client of 21 replaces credentials of the request");
    server.handler(IdentificationTest::guarded);
    try (HttpClient client =
        direct(stack).authenticator(answering(new ArrayList<>(), "secret")).build()) {
      client.send(to("/").build(), BodyHandlers.discarding());
      HttpRequest own = to("/").header("Authorization", "Basic eDp5").build();
      client.send(own, BodyHandlers.discarding());
    }
    assertEquals(
        List.of("Authorization: Basic eDp5"),
        server.requests().getLast().fields().stream()
            .filter(field -> field.startsWith("Authorization"))
            .toList());
  }

  @ParameterizedTest
  @EnumSource
  void anotherOriginIsNotShownThePassword(Stack stack) throws Exception {
    try (MockServer other = MockServer.start();
        HttpClient client = direct(stack)
            .authenticator(answering(new ArrayList<>(), "secret"))
            .followRedirects(Redirect.NORMAL)
            .build()) {
      other.handler(request -> MockResponse.ok(String.valueOf(request.header("Authorization"))));
      server.handler(request -> request.header("Authorization") == null
          ? guarded(request)
          : MockResponse.of(302).header("Location", other.url("/")));
      assertEquals("null", client.send(to("/").build(), BodyHandlers.ofString()).body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutAnAuthenticatorOrForAnotherSchemeTheResponseIsTheCallers(Stack stack)
      throws Exception {
    server.handler(IdentificationTest::guarded);
    try (HttpClient client = direct(stack).build()) {
      assertEquals(401, client.send(to("/").build(), BodyHandlers.ofString()).statusCode());
    }
    server.handler(request -> MockResponse.of(401).header("WWW-Authenticate", "Bearer"));
    Authenticator authenticator = answering(new ArrayList<>(), "secret");
    try (HttpClient client = direct(stack).authenticator(authenticator).build()) {
      assertEquals(401, client.send(to("/").build(), BodyHandlers.ofString()).statusCode());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPasswordIsWrittenAsTheServerReadsIt(Stack stack) throws Exception {
    byte[] expected = "me:\u00e9".getBytes(StandardCharsets.UTF_8);
    server.handler(request -> request.header("Authorization") == null
        ? MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"here\", charset=\"UTF-8\"")
        : MockResponse.ok(request.header("Authorization")));
    Authenticator authenticator = answering(new ArrayList<>(), "\u00e9");
    try (HttpClient client = direct(stack).authenticator(authenticator).build()) {
      assertEquals(
          "Basic " + Base64.getEncoder().encodeToString(expected),
          client.send(to("/").build(), BodyHandlers.ofString()).body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPasswordThatIsNoLongerGoodIsForgotten(Stack stack) throws Exception {
    server.handler(IdentificationTest::guarded);
    Authenticator authenticator = answering(new ArrayList<>(), "secret", null);
    try (HttpClient client = direct(stack).authenticator(authenticator).build()) {
      client.send(to("/").build(), BodyHandlers.discarding());
      server.handler(
          request -> MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"here\""));
      for (int i = 0; i < 2; i++) {
        assertThrows(
            IOException.class, () -> client.send(to("/").build(), BodyHandlers.discarding()));
      }
    }
    List<String> shown = server.requests().stream()
        .map(request -> String.valueOf(request.header("Authorization")))
        .toList();
    assertEquals(List.of("null", GOOD, GOOD, "null"), shown);
  }

  // ---- proxies

  private static ProxySelector through(int port) {
    return ProxySelector.of(InetSocketAddress.createUnresolved("127.0.0.1", port));
  }

  @ParameterizedTest
  @EnumSource
  void aProxyForwardsRequestsInCleartext(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok(request.target() + " " + request.header("Proxy-X")));
    try (HttpClient client = stack.builder().proxy(through(server.port())).build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://host.invalid/x?y"))
          .version(Version.HTTP_1_1)
          .header("Proxy-X", "1")
          .build();
      assertEquals(
          "http://host.invalid/x?y 1",
          client.send(request, BodyHandlers.ofString()).body());
    }
  }

  /** So is the JDK's own, if the selector returns anything but an HTTP proxy. */
  @ParameterizedTest
  @EnumSource
  void aCallIsMadeWithoutAProxyOfAnotherKind(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok("straight"));
    ProxySelector socks = new ProxySelector() {
      @Override
      public List<Proxy> select(URI uri) {
        return List.of(new Proxy(
            Proxy.Type.SOCKS, new InetSocketAddress(InetAddress.getLoopbackAddress(), 9)));
      }

      @Override
      public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
    };
    try (HttpClient client = stack.builder().proxy(socks).build()) {
      assertEquals(
          "straight", client.send(to("/").build(), BodyHandlers.ofString()).body());
    }
  }

  @ParameterizedTest
  @EnumSource
  void fieldsForProxiesDoNotReachServers(Stack stack) throws Exception {
    server.handler(request -> MockResponse.ok("x"));
    try (HttpClient client = direct(stack).build()) {
      client.send(
          to("/").header("Proxy-Authorization", "Basic x").build(), BodyHandlers.ofString());
    }
    assertNull(server.takeRequest().header("Proxy-Authorization"));
  }

  @ParameterizedTest
  @EnumSource
  void aProxyIsShownAPassword(Stack stack) throws Exception {
    server.handler(request -> GOOD.equals(request.header("Proxy-Authorization"))
        ? MockResponse.ok("through")
        : MockResponse.of(407).header("Proxy-Authenticate", "Basic realm=\"gate\""));
    List<String> asked = new ArrayList<>();
    try (HttpClient client = stack
        .builder()
        .proxy(through(server.port()))
        .authenticator(answering(asked, "secret"))
        .build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://host.invalid/x"))
          .version(Version.HTTP_1_1)
          .build();
      for (int i = 0; i < 2; i++) {
        assertEquals("through", client.send(request, BodyHandlers.ofString()).body());
      }
    }
    assertEquals(List.of("PROXY gate basic http 127.0.0.1 /x"), asked);
    assertEquals(3, server.requests().size());
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatWantsAPasswordForATunnelIsTheResponse(Stack stack) throws Exception {
    ScriptedPeer.Script script = connection -> {
      assertTrue(connection.expectHead().startsWith("CONNECT host.invalid:443 "));
      connection.send("HTTP/1.1 407 Nobody\r\nProxy-Authenticate: Basic realm=\"gate\"\r\n"
          + "Content-Length: 2\r\n\r\nno");
    };
    List<String> asked = new ArrayList<>();
    try (ScriptedPeer proxy = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack
            .builder()
            .proxy(through(proxy.port()))
            .authenticator(answering(asked, "secret"))
            .build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://host.invalid/x")).build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertEquals(407, response.statusCode());
      assertNull(response.body()); // It would not be the server's.
      assertEquals(
          "Basic realm=\"gate\"",
          response.headers().firstValue("Proxy-Authenticate").orElse(null));
    }
    assertEquals(List.of(), asked); // By default the JDK disables Basic for tunnels.
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatRefusesATunnelIsAnIoException(Stack stack) throws Exception {
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 502 No\r\nContent-Length: 0\r\n\r\n");
    };
    try (ScriptedPeer proxy = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack.builder().proxy(through(proxy.port())).build()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create("https://host.invalid/x")).build();
      IOException failed =
          assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofString()));
      assertTrue(failed.getMessage().contains("502"), failed.getMessage());
    }
  }
}
