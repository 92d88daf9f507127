package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.testkit.mock.RecordedRequest;
import java.security.Principal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.security.auth.x500.X500Principal;
import org.apache.hc.client5.http.async.methods.SimpleHttpResponse;
import org.apache.hc.client5.http.async.methods.SimpleRequestBuilder;
import org.apache.hc.client5.http.auth.AuthChallenge;
import org.apache.hc.client5.http.auth.AuthScheme;
import org.apache.hc.client5.http.auth.AuthSchemeFactory;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.Credentials;
import org.apache.hc.client5.http.auth.CredentialsProvider;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.config.Lookup;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.pool.PoolStats;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Connections may belong to a user: to a token, or to the user whom a scheme has authenticated. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class StateTest {
  /** Sends a GET and answers its content. */
  private interface Getter {
    String get(String url, HttpClientContext context) throws Exception;
  }

  private static Getter classic(Stack.Running running) {
    return (url, context) -> running
        .client()
        .execute(new HttpGet(url), context, response -> EntityUtils.toString(response.getEntity()));
  }

  private static Getter asynchronous(AsyncStack.Running running) {
    return (url, context) -> {
      SimpleHttpResponse response = running
          .client()
          .execute(SimpleRequestBuilder.get(url).build(), context, null)
          .get();
      AsyncStack.assertNothingIsLeased(running);
      return response.getBodyText();
    };
  }

  private static HttpClientContext of(@Nullable Object token) {
    HttpClientContext context = HttpClientContext.create();
    context.setUserToken(token);
    return context;
  }

  private static String connection(RecordedRequest request) {
    return Integer.toString(request.connection());
  }

  private static void answerWithConnections(MockServer server) {
    server.handler(request -> MockResponse.ok(connection(request)));
  }

  // ---- tokens

  private static void assertEachUserHasItsOwn(MockServer server, Getter getter) throws Exception {
    answerWithConnections(server);
    String url = server.url("/");
    String ofNobody = getter.get(url, of(null));
    String ofAnn = getter.get(url, of("ann"));
    String ofBen = getter.get(url, of("ben"));
    for (int i = 0; i < 3; i++) {
      assertEquals(ofAnn, getter.get(url, of("ann")));
      assertEquals(ofBen, getter.get(url, of("ben")));
      assertEquals(ofNobody, getter.get(url, of(null)));
    }
    assertNotEquals(ofAnn, ofBen);
  }

  @Test
  void eachUserHasSeparateConnections(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      assertEachUserHasItsOwn(server, classic(running));
      assertEquals(3, server.connections());
      PoolStats all = running.pool().getTotalStats();
      assertEquals(3, all.getAvailable());
      assertEquals(0, all.getLeased());
    }
  }

  @Test
  void eachUserHasSeparateConnectionsAsynchronouslyToo(MockServer server) throws Exception {
    try (AsyncStack.Running running = AsyncStack.start(Stack.HEDDLE)) {
      assertEachUserHasItsOwn(server, asynchronous(running));
      assertEquals(3, server.connections());
    }
  }

  @Test
  void aUserOfManyThreadsNeverMeetsAnother(MockServer server) throws Exception {
    Map<String, Set<String>> seen = new ConcurrentHashMap<>();
    try (Stack.Running running = Stack.HEDDLE.start();
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      answerWithConnections(server);
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        String user = "user" + i % 4;
        all.add(callers.submit(() -> {
          for (int k = 0; k < 20; k++) {
            String on = classic(running).get(server.url("/"), of(user));
            seen.computeIfAbsent(user, unknown -> ConcurrentHashMap.newKeySet()).add(on);
          }
          return null;
        }));
      }
      for (Future<?> each : all) {
        each.get();
      }
      Set<String> distinct = new HashSet<>();
      seen.values().forEach(ofOne -> ofOne.forEach(on -> assertTrue(distinct.add(on), on)));
      assertEquals(4, seen.size());
    }
  }

  /** All connections of a manager show the same certificate. */
  @Test
  void usersWithAClientCertificateShareConnections(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      answerWithConnections(server);
      HttpClientContext context = of(new X500Principal("CN=client"));
      String first = classic(running).get(server.url("/"), context);
      assertEquals(first, classic(running).get(server.url("/"), of(null)));
      assertEquals(first, classic(running).get(server.url("/"), context));
    }
  }

  @Test
  void connectionsOfUsersMakeRoomTheOldestFirst(MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 3;
    try (Stack.Running running = Stack.HEDDLE.start(setup)) {
      answerWithConnections(server);
      String url = server.url("/");
      List<String> first = new ArrayList<>();
      for (String user : List.of("ann", "ben", "cid", "dan")) {
        first.add(classic(running).get(url, of(user)));
      }
      assertEquals(3, running.pool().getTotalStats().getAvailable());
      assertEquals(first.get(1), classic(running).get(url, of("ben")));
      assertNotEquals(first.get(0), classic(running).get(url, of("ann")));
      assertEquals(first.get(3), classic(running).get(url, of("dan")));
      assertNotEquals(first.get(2), classic(running).get(url, of("cid")));
    }
  }

  @Test
  void connectionsOfUsersAreClosedWithTheIdleOnes(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      answerWithConnections(server);
      String first = classic(running).get(server.url("/"), of("ann"));
      running.pool().closeIdle(TimeValue.ofHours(1));
      assertEquals(first, classic(running).get(server.url("/"), of("ann")));
      running.pool().closeIdle(TimeValue.ZERO_MILLISECONDS);
      assertEquals(0, running.pool().getTotalStats().getAvailable());
      assertNotEquals(first, classic(running).get(server.url("/"), of("ann")));
    }
  }

  // ---- schemes that authenticate connections

  /** Says hello, gets a number, and answers with it; then the connection belongs to its user. */
  private static final class TwoSteps implements AuthScheme {
    private @Nullable String given;
    private boolean answered;
    private @Nullable Credentials credentials;

    @Override
    public String getName() {
      return "TwoSteps";
    }

    @Override
    public boolean isConnectionBased() {
      return true;
    }

    @Override
    public void processChallenge(AuthChallenge challenge, HttpContext context) {
      given = challenge.getValue();
    }

    @Override
    public boolean isChallengeComplete() {
      return answered;
    }

    @Override
    public @Nullable String getRealm() {
      return null;
    }

    @Override
    public boolean isResponseReady(
        HttpHost host, CredentialsProvider provider, HttpContext context) {
      credentials = provider.getCredentials(new AuthScope(host, null, getName()), context);
      return credentials != null;
    }

    @Override
    public @Nullable Principal getPrincipal() {
      return credentials == null ? null : credentials.getUserPrincipal();
    }

    @Override
    public String generateAuthResponse(HttpHost host, HttpRequest request, HttpContext context) {
      if (given == null) {
        return "TwoSteps hello";
      }
      answered = true;
      return "TwoSteps " + given + getPrincipal().getName();
    }
  }

  private static final Lookup<AuthSchemeFactory> SCHEMES =
      name -> name.equalsIgnoreCase("TwoSteps") ? context -> new TwoSteps() : null;

  private static final RequestConfig PREFERRED =
      RequestConfig.custom().setTargetPreferredAuthSchemes(List.of("TwoSteps")).build();

  /** Answers with the connection and its user, who must have sent the number of its connection. */
  private static void authenticateConnections(MockServer server) {
    Map<Integer, String> users = new ConcurrentHashMap<>();
    server.handler(request -> {
      String shown = request.header("authorization");
      String number = "TwoSteps n" + request.connection() + "-";
      if (shown != null && shown.startsWith(number)) {
        users.put(request.connection(), shown.substring(number.length()));
      }
      String user = users.get(request.connection());
      if (user != null) {
        return MockResponse.ok(connection(request) + " " + user);
      }
      String challenge = shown == null ? "TwoSteps" : number;
      return MockResponse.of(401).header("WWW-Authenticate", challenge).body("who?");
    });
  }

  private static HttpClientContext knowing(String user) {
    BasicCredentialsProvider provider = new BasicCredentialsProvider();
    provider.setCredentials(
        new AuthScope(null, -1), new UsernamePasswordCredentials(user, new char[0]));
    HttpClientContext context = HttpClientContext.create();
    context.setCredentialsProvider(provider);
    return context;
  }

  private static void assertConnectionsAreAuthenticated(MockServer server, Getter getter)
      throws Exception {
    authenticateConnections(server);
    String url = server.url("/");
    HttpClientContext ann = knowing("ann");
    String ofAnn = getter.get(url, ann);
    assertTrue(ofAnn.endsWith(" ann"), ofAnn);
    int asked = server.requests().size();
    // Without a word: the connection is known.
    assertEquals(ofAnn, getter.get(url, ann));
    assertEquals(ofAnn, getter.get(url, ann));
    assertEquals(asked + 2, server.requests().size());
    String ofBen = getter.get(url, knowing("ben"));
    assertTrue(ofBen.endsWith(" ben"), ofBen);
    assertEquals("who?", getter.get(url, HttpClientContext.create()));
    assertEquals(ofAnn, getter.get(url, ann));
  }

  @ParameterizedTest
  @EnumSource
  void aSchemeMayAuthenticateAConnection(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start(
        b -> b.setDefaultAuthSchemeRegistry(SCHEMES).setDefaultRequestConfig(PREFERRED))) {
      assertConnectionsAreAuthenticated(server, classic(running));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSchemeMayAuthenticateAConnectionAsynchronously(Stack stack, MockServer server)
      throws Exception {
    try (AsyncStack.Running running =
        AsyncStack.start(stack, 20, b -> b.setDefaultAuthSchemeRegistry(SCHEMES)
            .setDefaultRequestConfig(PREFERRED))) {
      assertConnectionsAreAuthenticated(server, asynchronous(running));
    }
  }

  /** Apache releases an endpoint between the steps, without an owner if it must not track users. */
  @ParameterizedTest
  @EnumSource
  void aSchemeContinuesOnItsConnectionWithoutStateToo(Stack stack, MockServer server)
      throws Exception {
    try (Stack.Running running = stack.start(b -> b.setDefaultAuthSchemeRegistry(SCHEMES)
        .setDefaultRequestConfig(PREFERRED)
        .disableConnectionState())) {
      authenticateConnections(server);
      Getter getter = classic(running);
      String ofAnn = getter.get(server.url("/"), knowing("ann"));
      assertTrue(ofAnn.endsWith(" ann"), ofAnn);
      if (stack == Stack.HEDDLE) {
        // Over Apache's own connections everybody is ann from now on.
        assertEquals("who?", getter.get(server.url("/"), HttpClientContext.create()));
      }
    }
  }

  /** Apache says this of a connection that must be closed in the middle of a handshake. */
  @Test
  void aDisconnectedConnectionIsNotReused(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      answerWithConnections(server);
      HttpClientContext context = of("ann");
      CountDownLatch seen = new CountDownLatch(1);
      String first = running.client().execute(new HttpGet(server.url("/")), context, response -> {
        seen.countDown();
        return EntityUtils.toString(response.getEntity());
      });
      seen.await();
      server.handler(request -> MockResponse.ok(connection(request)).header("Connection", "close"));
      assertEquals(first, classic(running).get(server.url("/"), context));
      assertEquals(0, running.pool().getTotalStats().getAvailable());
      assertNotEquals(first, classic(running).get(server.url("/"), context));
    }
  }
}
