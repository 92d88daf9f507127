package heddle.adapters.urlconnection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.HttpURLConnection;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a program sets for all connections of its process: cookies, passwords, the factory. */
@Timeout(60)
class HandlersTest {
  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  @ParameterizedTest
  @EnumSource
  void theCookieHandlerKeepsCookies(Stack stack) throws Exception {
    server.answer(
        "/login",
        MockResponse.of(302).header("Location", "/home").header("Set-Cookie", "id=7; Path=/"));
    server.answer("/home", MockResponse.ok("home"));
    CookieManager cookies = new CookieManager();
    CookieHandler before = CookieHandler.getDefault();
    CookieHandler.setDefault(cookies);
    try {
      assertEquals("home", Stack.read(stack.open(server.url("/login"))));
      HttpURLConnection again = stack.open(server.url("/home"));
      again.setRequestProperty("Cookie", "own=1");
      assertEquals("home", Stack.read(again));
    } finally {
      CookieHandler.setDefault(before);
    }
    assertNull(server.takeRequest().header("Cookie"));
    assertEquals("id=7", server.takeRequest().header("Cookie"));
    String both = server.takeRequest().header("Cookie");
    assertEquals(
        List.of("id=7", "own=1"),
        Stream.of(both.split(";")).map(String::strip).sorted().toList());
  }

  private static Authenticator answering(Queue<String> passwords) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        String password = passwords.poll();
        return password == null ? null : new PasswordAuthentication("u", password.toCharArray());
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void theDefaultAuthenticatorIsAskedAgainAfterARefusal(Stack stack) throws Exception {
    server.handler(request -> "Basic dTpw".equals(request.header("Authorization"))
        ? MockResponse.ok("in")
        : MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"r\"").body("who?"));
    Authenticator before = Authenticator.getDefault();
    try {
      Authenticator.setDefault(answering(new ArrayDeque<>(List.of("wrong", "p"))));
      assertEquals("in", Stack.read(stack.open(server.url("/a"))));
    } finally {
      Authenticator.setDefault(before);
    }
  }

  @ParameterizedTest
  @EnumSource
  void withoutAnotherPasswordTheCallerGetsTheRefusal(Stack stack) throws Exception {
    server.answer(
        "/a",
        MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"r\"").body("who?"));
    HttpURLConnection connection = stack.open(server.url("/a"));
    connection.setAuthenticator(answering(new ArrayDeque<>(List.of("wrong"))));
    assertEquals(401, connection.getResponseCode());
    assertThrows(IOException.class, connection::getInputStream);
    assertEquals(2, server.requests().size());
  }

  @Test
  void digestIsNotAnswered() throws Exception {
    server.answer(
        "/a",
        MockResponse.of(401)
            .header("WWW-Authenticate", "Digest realm=\"r\", nonce=\"n\", qop=\"auth\""));
    HttpURLConnection connection = Stack.HEDDLE.open(server.url("/a"));
    connection.setAuthenticator(answering(new ArrayDeque<>(List.of("p"))));
    assertEquals(401, connection.getResponseCode());
    assertEquals(1, server.requests().size());
  }

  /** The JDK allows one factory per process, so that one test alone can install it. */
  @Test
  void heddleIsInstalledOnce() throws Exception {
    HeddleUrlConnections.install();
    assertInstanceOf(
        HttpConnection.class, URI.create("http://localhost/").toURL().openConnection());
    assertEquals(
        "file", URI.create("file:///").toURL().openConnection().getURL().getProtocol());
    assertThrows(Error.class, HeddleUrlConnections::install);
  }
}
