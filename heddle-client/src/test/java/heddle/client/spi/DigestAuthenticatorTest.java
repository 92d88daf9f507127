package heddle.client.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.HttpClient;
import heddle.client.spi.Authenticator.Question;
import heddle.http.Challenge;
import heddle.http.Credentials;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The Digest scheme (RFC 7616). */
@Timeout(60)
class DigestAuthenticatorTest {
  private static final String RFC =
      "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\","
          + " nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\","
          + " opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\", algorithm=";
  private static final String OLD = "Digest realm=\"testrealm@host.com\", qop=\"auth,auth-int\","
      + " nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\","
      + " opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"";
  private static final String HASHED = "Digest realm=\"api@example.org\", qop=\"auth\","
      + " algorithm=SHA-512-256, nonce=\"5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK\","
      + " opaque=\"HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS\", charset=UTF-8, userhash=true";

  private static final Origin HERE = Origin.http("example.com", 80);

  private static Challenge challenge(String text) {
    return Challenge.parse(text).getFirst();
  }

  private static String parameter(String credentials, String name) {
    // Their grammar is that of a challenge (RFC 9110 section 11.4).
    return Objects.requireNonNullElse(challenge(credentials).parameter(name), "");
  }

  // ---- examples

  private static Account account(String user, String password) {
    return new Account(HERE, false, user, password, null);
  }

  private static String answer(
      String challenge, String user, String password, String own, String uri) {
    return new DigestSession(challenge(challenge), account(user, password), own)
        .answer("GET", uri)
        .fieldValue();
  }

  /** RFC 7616 section 3.9.1. */
  @ParameterizedTest
  @CsvSource({
    "MD5, 8ca523f5e9506fed4657c9700eebdbec",
    "SHA-256, 753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"
  })
  void theResponseIsThatOfTheStandardsExample(String algorithm, String response) {
    String sent = answer(
        RFC + algorithm,
        "Mufasa",
        "Circle of Life",
        "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ",
        "/dir/index.html");
    assertEquals(response, parameter(sent, "response"));
    assertEquals("00000001", parameter(sent, "nc"));
    assertEquals("Mufasa", parameter(sent, "username"));
    assertEquals("FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", parameter(sent, "opaque"));
  }

  /** RFC 2617 section 3.5, without the parameter algorithm. */
  @Test
  void theResponseIsThatOfTheOldStandardsExample() {
    String sent = answer(OLD, "Mufasa", "Circle Of Life", "0a4f113b", "/dir/index.html");
    assertEquals("6629fae49393a05397450978507c4ef1", parameter(sent, "response"));
    assertEquals("", parameter(sent, "algorithm"));
  }

  /** RFC 7616 section 3.9.2, with the values of erratum 4897. */
  @Test
  void theUserIsHashedIfTheServerAsksForIt() {
    String sent = answer(
        HASHED,
        "J\u00e4s\u00f8n Doe",
        "Secret, or not?",
        "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
        "/doe.json");
    assertEquals(
        "793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b",
        parameter(sent, "username"));
    assertEquals(
        "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
        parameter(sent, "response"));
  }

  @Test
  void aUserOutsideOfAsciiIsEncoded() {
    String sent = answer(RFC + "SHA-256", "J\u00e4s\u00f8n", "x", "own", "/");
    assertTrue(sent.startsWith("Digest username*=UTF-8''J%C3%A4s%C3%B8n, "), sent);
  }

  @Test
  void theKeyOfASessionIsMadeOfBothNonces() {
    String plain = "Digest realm=r, nonce=n, qop=auth, algorithm=MD5";
    String one = answer(plain + "-sess", "me", "secret", "own", "/");
    assertNotEquals(
        parameter(answer(plain, "me", "secret", "own", "/"), "response"),
        parameter(one, "response"));
    DigestSession session = new DigestSession(challenge(plain + "-sess"), account("me", "secret"));
    String first = session.answer("GET", "/").fieldValue();
    String second = session.answer("GET", "/").fieldValue();
    assertEquals(parameter(first, "cnonce"), parameter(second, "cnonce"));
    assertEquals("00000002", parameter(second, "nc"));
  }

  // ---- which challenges

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Digest realm=r, nonce=n",
        "Digest realm=r, nonce=n, algorithm=MD5-sess",
        "digest realm=r, nonce=n, algorithm=sha-256, qop=\"auth-int,auth\""
      })
  void knownAlgorithmsAreAnswered(String challenge) {
    assertTrue(DigestAuthenticator.canAnswer(challenge(challenge)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Digest realm=r, nonce=n, algorithm=SHA-1",
        "Digest realm=r, nonce=n, qop=\"auth-int\"",
        "Digest realm=r",
        "Digest nonce=n",
        "Digest realm=\"\u00e4\", nonce=n",
        "Basic realm=r, nonce=n"
      })
  void otherChallengesAreNot(String challenge) {
    assertFalse(DigestAuthenticator.canAnswer(challenge(challenge)));
  }

  private static Question asked(
      Origin by, boolean proxy, String challenges, String method, int attempt) {
    List<Challenge> all = challenges.isEmpty() ? List.of() : Challenge.parse(challenges);
    Request request = Request.builder(URI.create("http://example.com/a?b"))
        .method(Method.of(method))
        .build();
    return new Question(by, proxy, all, request, attempt);
  }

  private static Question asked(String challenges, int attempt) {
    return asked(HERE, false, challenges, "GET", attempt);
  }

  @Test
  void thoseWhoAskGetTheirAnswerAndOthersNone() {
    DigestAuthenticator knows = DigestAuthenticator.forOrigin(HERE, "me", "secret");
    String wanted = "Basic realm=r, Digest realm=r, nonce=n, qop=auth";
    assertNull(knows.beforehand(asked("", 0)));
    Origin other = Origin.https("example.com", 443);
    assertNull(knows.answer(asked(other, false, wanted, "GET", 1)));
    assertNull(knows.answer(asked(HERE, true, wanted, "GET", 1)));
    assertNull(knows.realm("mine").answer(asked(wanted, 1)));
    Credentials answer = knows.answer(asked(wanted, 1));
    assertNotNull(answer);
    assertEquals("/a?b", parameter(answer.fieldValue(), "uri"));
    assertNotNull(knows.beforehand(asked("", 0)));
    assertNull(knows.beforehand(asked(other, false, "", "GET", 0)));
    assertEquals("Digest for http://example.com:80", knows.toString());
  }

  @Test
  void wrongPasswordIsSentOnceAndAStaleNonceIsReplaced() {
    DigestAuthenticator knows = DigestAuthenticator.forOrigin(HERE, "me", "wrong");
    assertNotNull(knows.answer(asked("Digest realm=r, nonce=1, qop=auth", 1)));
    assertNull(knows.answer(asked("Digest realm=r, nonce=2, qop=auth", 2)));
    assertNotNull(knows.answer(asked("Digest realm=r, nonce=3, qop=auth, stale=TRUE", 2)));
  }

  @Test
  void theUriIsThatOfTheRequestLine() {
    String wanted = "Digest realm=r, nonce=n, qop=auth";
    DigestAuthenticator server =
        DigestAuthenticator.forOrigin(HERE, "me", "secret").forwarded();
    Credentials answer = server.answer(asked(wanted, 1));
    assertNotNull(answer);
    assertEquals("http://example.com/a?b", parameter(answer.fieldValue(), "uri"));
    DigestAuthenticator proxy = DigestAuthenticator.forProxy(HERE, "me", "secret");
    Credentials forwarded = proxy.answer(asked(HERE, true, wanted, "GET", 1));
    assertNotNull(forwarded);
    assertEquals("http://example.com/a?b", parameter(forwarded.fieldValue(), "uri"));
  }

  @Test
  void realmsOfOneServerMayShareANonce() {
    DigestAuthenticator knows = DigestAuthenticator.forOrigin(HERE, "me", "secret");
    for (String realm : List.of("one", "two")) {
      Credentials answer = knows.answer(asked("Digest realm=" + realm + ", nonce=n, qop=auth", 1));
      assertNotNull(answer);
      assertEquals(realm, parameter(answer.fieldValue(), "realm"));
    }
  }

  // ---- a client

  @Test
  void laterRequestsAnswerTheFirstChallenge() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = client(server, "secret")) {
      server.handler(request -> guarded(request, "n", ""));
      for (int i = 1; i <= 3; i++) {
        try (Response response = client.get(server.url("/"))) {
          assertEquals("0000000" + i, response.string());
        }
      }
      assertEquals(4, server.requests().size());
    }
  }

  @Test
  void staleNonceCostsOneExchangeMoreAndNoFailure() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = client(server, "secret")) {
      server.handler(request -> guarded(request, "old", ""));
      assertEquals("00000001", client.get(server.url("/")).string());
      server.handler(request -> guarded(request, "new", ", stale=true"));
      assertEquals("00000001", client.get(server.url("/")).string());
      assertEquals("00000002", client.get(server.url("/")).string());
      assertEquals(5, server.requests().size());
    }
  }

  @Test
  void refusedPasswordEndsInTheServersResponse() throws Exception {
    try (MockServer server = MockServer.start();
        HttpClient client = client(server, "wrong")) {
      server.handler(request ->
          MockResponse.of(401).header("WWW-Authenticate", "Digest realm=r, nonce=n, qop=auth"));
      for (int i = 1; i <= 2; i++) {
        try (Response response = client.get(server.url("/"))) {
          assertEquals(401, response.status().code());
        }
        assertEquals(2 * i, server.requests().size());
      }
    }
  }

  private static HttpClient client(MockServer server, String password) throws IOException {
    Origin origin = Request.get(server.url("/")).origin();
    return HttpClient.builder()
        .authenticator(DigestAuthenticator.forOrigin(origin, "me", password))
        .build();
  }

  private static MockResponse guarded(RecordedRequest request, String nonce, String more) {
    String sent = request.header("Authorization");
    return sent != null && parameter(sent, "nonce").equals(nonce)
        ? MockResponse.ok(parameter(sent, "nc"))
        : MockResponse.of(401)
            .header(
                "WWW-Authenticate",
                "Digest realm=r, qop=auth, nonce=" + nonce + (sent == null ? "" : more));
  }
}
