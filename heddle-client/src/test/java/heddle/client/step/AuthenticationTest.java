package heddle.client.step;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.client.ClientWorld;
import heddle.client.settings.RedirectPolicy;
import heddle.client.spi.Authenticator;
import heddle.client.spi.Authenticator.Question;
import heddle.client.spi.BasicAuthenticator;
import heddle.http.Body;
import heddle.http.Credentials;
import heddle.http.HttpVersion;
import heddle.http.Origin;
import heddle.http.Request;
import heddle.http.Response;
import heddle.http.Status;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Who is shown which credentials, and how often. */
@Timeout(60)
class AuthenticationTest {
  private static final int PORT = 8080;
  private static final Origin A = Origin.http("a.test", PORT);
  private static final Origin B = Origin.http("b.test", PORT);
  private static final String SECRET = "Basic " + base64("me:secret");

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  /** What a test does with a server that has many names. */
  private interface Visit {
    void to(ClientWorld world, MockServer server) throws Exception;
  }

  private static void visit(HttpVersion version, List<Authenticator> authenticators, Visit visit)
      throws Exception {
    try (ClientWorld world = new ClientWorld(client -> {
      authenticators.forEach(client::authenticator);
      return client.version(version).redirects(RedirectPolicy.standard());
    })) {
      world.network.run(() -> {
        try (MockServer server = MockServer.builder()
            .network(world.network)
            .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT))
            .start()) {
          server.handler(AuthenticationTest::guarded);
          visit.to(world, server);
          assertEquals(0, world.inUse());
          world.client.close();
        }
      });
    }
  }

  private static void visit(Authenticator authenticator, Visit visit) throws Exception {
    visit(HttpVersion.HTTP_1_1, List.of(authenticator), visit);
  }

  private static MockResponse refusal(String challenge) {
    return MockResponse.of(401).header("WWW-Authenticate", challenge).body("who are you?");
  }

  private static MockResponse guarded(RecordedRequest request) {
    return SECRET.equals(request.header("Authorization"))
        ? MockResponse.ok("Hello!")
        : refusal("Basic realm=\"here\"");
  }

  private static List<@Nullable String> shown(MockServer server) {
    List<@Nullable String> all = new ArrayList<>();
    server.requests().forEach(each -> all.add(each.header("Authorization")));
    return all;
  }

  private static List<@Nullable String> list(@Nullable String... each) {
    return new ArrayList<>(Arrays.asList(each));
  }

  private static Request get(Origin origin) throws IOException {
    return Request.get(origin + "/");
  }

  @ParameterizedTest
  @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
  void aChallengeIsAnsweredAndTheResponseKnowsOfIt(HttpVersion version) throws Exception {
    visit(version, List.of(BasicAuthenticator.forOrigin(A, "me", "secret")), (world, server) -> {
      Response response = world.client.send(Request.post(A + "/", Body.of("content")));
      assertEquals("Hello!", response.string());
      assertEquals(list(null, SECRET), shown(server));
      assertEquals("content", server.requests().getLast().text());
      assertEquals(Status.UNAUTHORIZED, response.earlier().getFirst().status());
      assertEquals(1, server.connections());
    });
  }

  @Test
  void credentialsCanBeSentWithoutBeingAskedFor() throws Exception {
    visit(BasicAuthenticator.forOrigin(A, "me", "secret").preemptive(), (world, server) -> {
      assertEquals("Hello!", world.client.send(get(A)).string());
      assertEquals(list(SECRET), shown(server));
    });
  }

  @Test
  void whatWasRefusedOnceIsNotSentAgain() throws Exception {
    for (Authenticator wrong : List.of(
        BasicAuthenticator.forOrigin(A, "me", "wrong"),
        BasicAuthenticator.forOrigin(A, "me", "wrong").preemptive())) {
      visit(wrong, (world, server) -> {
        Response response = world.client.send(get(A));
        assertEquals(Status.UNAUTHORIZED, response.status());
        assertEquals("who are you?", response.string());
        assertEquals(1, shown(server).stream().filter(Objects::nonNull).count());
      });
    }
  }

  @Test
  void theNextAuthenticatorIsAskedWhereOneKnowsNothingNew() throws Exception {
    List<Authenticator> authenticators = List.of(
        question -> null,
        BasicAuthenticator.forOrigin(A, "me", "wrong"),
        BasicAuthenticator.forOrigin(A, "me", "secret"));
    visit(HttpVersion.HTTP_1_1, authenticators, (world, server) -> {
      assertEquals("Hello!", world.client.send(get(A)).string());
      assertEquals(3, shown(server).size());
    });
  }

  @Test
  void anAuthenticatorThatAlwaysKnowsSomethingElseIsNotAskedForEver() throws Exception {
    List<Integer> attempts = new ArrayList<>();
    Authenticator authenticator = question -> {
      attempts.add(question.attempt());
      return Credentials.of("Basic", "guess" + question.attempt());
    };
    visit(authenticator, (world, server) -> {
      assertEquals(Status.UNAUTHORIZED, world.client.send(get(A)).status());
      assertEquals(List.of(1, 2, 3, 4, 5), attempts);
    });
  }

  @Test
  void authenticatorSeesWhoAsksForWhat() throws Exception {
    List<Question> questions = new ArrayList<>();
    Authenticator authenticator = question -> {
      questions.add(question);
      return null;
    };
    visit(authenticator, (world, server) -> {
      server.handler(request -> refusal("Bearer error=\"invalid_token\", Basic realm=x"));
      world.client.send(get(A)).close();
      Question question = questions.getFirst();
      assertEquals(A, question.by());
      assertFalse(question.proxy());
      assertEquals("invalid_token", question.challenges().getFirst().parameter("error"));
      assertTrue(question.challenges().getLast().is("basic"));
      assertEquals("/", question.request().target());
    });
  }

  @Test
  void anotherOriginGetsNothingThoughItAsks() throws Exception {
    visit(BasicAuthenticator.forOrigin(A, "me", "secret").preemptive(), (world, server) -> {
      server.enqueue("/", MockResponse.of(302).header("Location", B + "/there"));
      Response response = world.client.send(get(A));
      assertEquals(Status.UNAUTHORIZED, response.status());
      assertEquals("b.test", response.request().origin().host());
      assertEquals(list(SECRET, null), shown(server));
    });
  }

  @Test
  void challengesAndRedirectsAreReportedInOrder() throws Exception {
    visit(BasicAuthenticator.forOrigin(A, "me", "secret"), (world, server) -> {
      server.enqueue("/", refusal("Basic realm=x"));
      server.enqueue("/", MockResponse.of(302).header("Location", B + "/there"));
      server.answer("/there", MockResponse.ok("Hello!"));
      Response response = world.client.send(get(A));
      assertEquals("Hello!", response.string());
      assertEquals(
          List.of(Status.UNAUTHORIZED, Status.FOUND),
          response.earlier().stream().map(Response::status).toList());
      assertEquals(list(null, SECRET, null), shown(server));
    });
  }

  @Test
  void credentialsOfTheCallersOwnAreLeftAlone() throws Exception {
    BasicAuthenticator knows = BasicAuthenticator.forOrigin(A, "me", "secret");
    for (Authenticator each : List.of(knows, knows.preemptive())) {
      visit(each, (world, server) -> {
        Request own = get(A).toBuilder().header("Authorization", "Bearer mine").build();
        assertEquals(Status.UNAUTHORIZED, world.client.send(own).status());
        assertEquals(1, server.requests().size());
        List<String> fields = server.requests().getFirst().fields();
        assertEquals(
            List.of("Authorization: Bearer mine"),
            fields.stream().filter(field -> field.startsWith("Auth")).toList());
      });
    }
  }

  @Test
  void aBodyThatCannotBeProducedAgainIsNotSentAgain() throws Exception {
    visit(BasicAuthenticator.forOrigin(A, "me", "secret"), (world, server) -> {
      Request once = Request.put(A + "/", Body.of(new ByteArrayInputStream(new byte[1]), 1));
      Response response = world.client.send(once);
      assertEquals(Status.UNAUTHORIZED, response.status());
      assertEquals("who are you?", response.string());
    });
  }

  @Test
  void aChallengeThatCannotBeUnderstoodIsHandedOver() throws Exception {
    visit(question -> Credentials.of("Basic", "x"), (world, server) -> {
      server.handler(request -> refusal("Basic realm=\"never ends"));
      assertEquals("who are you?", world.client.send(get(A)).string());
      assertEquals(1, server.requests().size());
    });
  }

  @Test
  void anAuthenticatorThatFailsEndsTheCall() throws Exception {
    IOException failure = new IOException("no token to be had");
    Authenticator authenticator = question -> {
      throw failure;
    };
    visit(authenticator, (world, server) -> {
      assertSame(failure, assertThrows(IOException.class, () -> world.client.send(get(A))));
    });
  }

  @Test
  void anOriginThatSpeaksLikeAProxyGetsNothing() throws Exception {
    visit(question -> Credentials.of("Basic", "x"), (world, server) -> {
      server.handler(request -> MockResponse.of(407).header("Proxy-Authenticate", "Basic realm=x"));
      assertEquals(407, world.client.send(get(A)).status().code());
      assertEquals(1, server.requests().size());
    });
  }

  @Test
  void whatIsForAProxyIsNotForAnOriginOfTheSameName() throws Exception {
    List<Authenticator> all =
        List.of(BasicAuthenticator.forProxy(A, "me", "secret").preemptive());
    List<Request> sent = new ArrayList<>();
    new Authentication(all).intercept(get(A), request -> {
      sent.add(request);
      return Response.builder(Status.PROXY_AUTHENTICATION_REQUIRED)
          .header("Proxy-Authenticate", "Basic realm=p")
          .build();
    });
    assertEquals(1, sent.size());
    assertTrue(sent.getFirst().headers().isEmpty(), sent.toString());
  }
}
