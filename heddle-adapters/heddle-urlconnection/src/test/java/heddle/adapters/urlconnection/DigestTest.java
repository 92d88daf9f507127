package heddle.adapters.urlconnection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Challenge;
import heddle.testkit.TunnelProxy;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.TestIdentity;
import java.io.IOException;
import java.net.Authenticator;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.HttpsURLConnection;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Digest scheme, over the JDK's own connections and Heddle's. */
@Timeout(60)
class DigestTest {
  /** What an authenticator was asked. */
  private final List<String> asked = new CopyOnWriteArrayList<>();

  @AutoClose
  private MockServer server;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
  }

  private static Challenge challenge(String text) {
    return Challenge.parse(text).getFirst();
  }

  private static String parameter(String credentials, String name) {
    Matcher found = Pattern.compile("[ ,]" + name + "=\"?([^\",]*)").matcher(credentials);
    return found.find() ? found.group(1) : "";
  }

  /** As in the JDK, whose default disables MD5. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Digest realm=\"r\", nonce=\"n\"",
        "Digest realm=\"r\", nonce=\"n\", algorithm=MD5-sess",
        "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-1",
        "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256, qop=\"auth-int\"",
        "Digest realm=\"r\", algorithm=SHA-256",
        "Digest nonce=\"n\", algorithm=SHA-256",
        "Digest realm=\"\u00e4\", nonce=\"n\", algorithm=SHA-256",
        "Basic realm=\"r\""
      })
  void challengesThatCannotBeAnsweredAreKnown(String challenge) {
    assertFalse(Passwords.canAnswer(challenge(challenge)));
  }

  @Test
  void md5IsAnsweredIfTheJdksPropertyEnablesIt() {
    Challenge md5 = challenge("Digest realm=\"r\", nonce=\"n\", algorithm=MD5");
    assertFalse(Passwords.canAnswer(md5));
    System.setProperty("http.auth.digest.reEnabledAlgorithms", "SHA-1, md5");
    try {
      assertTrue(Passwords.canAnswer(md5));
    } finally {
      System.clearProperty("http.auth.digest.reEnabledAlgorithms");
    }
  }

  // ---- servers and proxies

  private Authenticator authenticator(String... passwords) {
    return new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        asked.add(getRequestorType() + " " + getRequestingPrompt() + " " + getRequestingScheme());
        String password = passwords[Math.min(asked.size(), passwords.length) - 1];
        return new PasswordAuthentication("me", password.toCharArray());
      }
    };
  }

  private static String hash(String algorithm, String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance(algorithm.replace("SHA-512-", "SHA-512/"));
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether credentials are those of "me" with the password "secret", as a server checks it. */
  private static boolean isRight(String credentials, String method, String uri, String algorithm) {
    String plain = algorithm.replace("-sess", "");
    String nonce = parameter(credentials, "nonce");
    String own = parameter(credentials, "cnonce");
    String secret = hash(plain, "me:r:secret");
    if (!plain.equals(algorithm)) {
      secret = hash(plain, secret + ":" + nonce + ":" + own);
    }
    String qop = parameter(credentials, "qop");
    String middle =
        qop.isEmpty() ? nonce : nonce + ":" + parameter(credentials, "nc") + ":" + own + ":" + qop;
    return uri.equals(parameter(credentials, "uri"))
        && parameter(credentials, "response")
            .equals(hash(plain, secret + ":" + middle + ":" + hash(plain, method + ":" + uri)));
  }

  private static String sha(String nonce, String more) {
    return "Digest realm=\"r\", nonce=\"" + nonce + "\", algorithm=SHA-256, qop=\"auth\"" + more;
  }

  @ParameterizedTest
  @CsvSource({
    "STOCK, SHA-256, true", "HEDDLE, SHA-256, true", "STOCK, SHA-512-256, true",
    "HEDDLE, SHA-512-256, true", "STOCK, SHA-256-sess, true", "HEDDLE, SHA-256-sess, true",
    "STOCK, SHA-256, false", "HEDDLE, SHA-256, false"
  })
  void theServerGetsTheRightResponse(Stack stack, String algorithm, boolean counts)
      throws Exception {
    String wanted = "Digest realm=\"r\", nonce=\"n\", algorithm=" + algorithm
        + (counts ? ", qop=\"auth,auth-int\"" : "");
    server.handler(request -> {
      String sent = request.header("Authorization");
      return sent != null && isRight(sent, request.method().toString(), request.target(), algorithm)
          ? MockResponse.ok(request.text())
          : MockResponse.of(401)
              .header("WWW-Authenticate", "Basic realm=\"b\"")
              .header("WWW-Authenticate", wanted);
    });
    Authenticator authenticator = authenticator("secret");
    for (String path : List.of("/a/b?c=d", "/a/e")) {
      HttpURLConnection connection = stack.open(server.url(path));
      connection.setAuthenticator(authenticator);
      connection.setDoOutput(true);
      Stack.write(connection, "hello");
      assertEquals("hello", Stack.read(connection));
    }
    assertEquals("SERVER r digest", asked.getFirst());
  }

  @Test
  void theNonceIsUsedAgainWithItsCount() throws Exception {
    List<String> counts = new ArrayList<>();
    server.handler(request -> {
      String sent = request.header("Authorization");
      if (sent == null) {
        return MockResponse.of(401).header("WWW-Authenticate", sha("n", ""));
      }
      counts.add(parameter(sent, "nc"));
      return MockResponse.ok("in");
    });
    Authenticator authenticator = authenticator("secret");
    for (int i = 0; i < 3; i++) {
      HttpURLConnection connection = Stack.HEDDLE.open(server.url("/" + i));
      connection.setAuthenticator(authenticator);
      assertEquals("in", Stack.read(connection));
    }
    assertEquals(List.of("00000001", "00000002", "00000003"), counts);
    assertEquals(1, asked.size());
  }

  @Test
  void aStaleNonceIsReplacedWithoutAskingAgain() throws Exception {
    server.handler(request -> {
      String sent = request.header("Authorization");
      String nonce = request.target().substring(1);
      return sent != null && parameter(sent, "nonce").equals(nonce)
          ? MockResponse.ok("in")
          : MockResponse.of(401)
              .header("WWW-Authenticate", sha(nonce, sent == null ? "" : ", stale=true"));
    });
    Authenticator authenticator = authenticator("secret");
    for (String nonce : List.of("first", "second")) {
      HttpURLConnection connection = Stack.HEDDLE.open(server.url("/" + nonce));
      connection.setAuthenticator(authenticator);
      assertEquals("in", Stack.read(connection));
    }
    assertEquals(1, asked.size());
  }

  @ParameterizedTest
  @EnumSource
  void anotherPasswordIsTriedAfterAWrongOne(Stack stack) throws Exception {
    server.handler(request -> {
      String sent = request.header("Authorization");
      return sent != null && isRight(sent, "GET", request.target(), "SHA-256")
          ? MockResponse.ok("in")
          : MockResponse.of(401).header("WWW-Authenticate", sha("n", ""));
    });
    HttpURLConnection connection = stack.open(server.url("/a"));
    connection.setAuthenticator(authenticator("wrong", "secret"));
    assertEquals("in", Stack.read(connection));
    assertEquals(2, asked.size());
    HttpURLConnection refused = stack.open(server.url("/a"));
    refused.setAuthenticator(authenticator("wrong"));
    assertEquals(401, refused.getResponseCode());
  }

  @ParameterizedTest
  @EnumSource
  void aProxyThatForwardsGetsTheRightResponse(Stack stack) throws Exception {
    server.handler(request -> {
      String sent = request.header("Proxy-Authorization");
      return sent != null && isRight(sent, "GET", request.target(), "SHA-256")
          ? MockResponse.ok(request.target())
          : MockResponse.of(407).header("Proxy-Authenticate", sha("n", ""));
    });
    Proxy proxy = new Proxy(Proxy.Type.HTTP, new InetSocketAddress("localhost", server.port()));
    HttpURLConnection connection = stack.open("http://far.test/a?b", proxy);
    connection.setAuthenticator(authenticator("secret"));
    assertEquals("http://far.test/a?b", Stack.read(connection));
    assertEquals(List.of("PROXY r digest"), asked);
    assertNull(server.takeRequest().header("Proxy-Authorization"));
  }

  private static String refusalUnlessRight(String head) {
    Matcher sent = Pattern.compile("(?i)proxy-authorization: (.*)\r\n").matcher(head);
    String to = head.split(" ", 3)[1];
    return sent.find() && isRight(sent.group(1), "CONNECT", to, "SHA-256")
        ? ""
        : "HTTP/1.1 407 Who\r\nProxy-Authenticate: " + sha("n", "") + "\r\n"
            + "Content-Length: 0\r\n\r\n";
  }

  @ParameterizedTest
  @EnumSource
  void aProxyOpensATunnelForTheRightResponse(Stack stack) throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
    try (MockServer secure = MockServer.builder().tls(identity.server()).start();
        TunnelProxy proxy = new TunnelProxy(DigestTest::refusalUnlessRight)) {
      secure.answer("/a", MockResponse.ok("hi"));
      HttpsURLConnection connection = (HttpsURLConnection) stack.open(
          secure.url("/a"),
          new Proxy(Proxy.Type.HTTP, new InetSocketAddress("localhost", proxy.port())));
      connection.setSSLSocketFactory(HeddleUrlConnections.socketFactory(identity.trusting()));
      connection.setAuthenticator(authenticator("secret"));
      assertEquals("hi", Stack.read(connection));
      assertEquals(List.of("PROXY r digest"), asked);
      assertEquals(2, proxy.heads().size());
      assertNull(secure.takeRequest().header("Proxy-Authorization"));
    }
  }
}
