package heddle.adapters.apache4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.testkit.mock.RecordedRequest;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import javax.security.auth.x500.X500Principal;
import org.apache.http.Header;
import org.apache.http.HttpRequest;
import org.apache.http.HttpResponse;
import org.apache.http.auth.AuthScheme;
import org.apache.http.auth.AuthSchemeProvider;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.Credentials;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.protocol.HttpClientContext;
import org.apache.http.config.Registry;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.impl.auth.AuthSchemeBase;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.message.BasicHeader;
import org.apache.http.util.CharArrayBuffer;
import org.apache.http.util.EntityUtils;
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
  private static HttpClientContext of(@Nullable Object token) {
    HttpClientContext context = HttpClientContext.create();
    context.setUserToken(token);
    return context;
  }

  private static String text(HttpResponse response) throws IOException {
    return response.getStatusLine().getStatusCode() + " "
        + EntityUtils.toString(response.getEntity());
  }

  private static String get(Stack.Running running, String url, HttpClientContext context)
      throws IOException {
    try (CloseableHttpResponse response = running.client().execute(new HttpGet(url), context)) {
      return text(response);
    }
  }

  private static String get(AsyncTest.Running running, String url, HttpClientContext context)
      throws Exception {
    String answered =
        text(running.client().execute(new HttpGet(url), context, null).get());
    running.awaitNothingLeased();
    return answered;
  }

  private static void answerWithConnections(MockServer server) {
    server.handler(request -> MockResponse.ok("on " + request.connection()));
  }

  // ---- tokens

  @ParameterizedTest
  @EnumSource
  void eachUserHasSeparateConnections(Stack stack, MockServer server) throws Exception {
    answerWithConnections(server);
    try (Stack.Running running = stack.start()) {
      String url = server.url("/");
      String ofAnn = get(running, url, of("ann"));
      String ofBen = get(running, url, of("ben"));
      assertNotEquals(ofAnn, ofBen);
      for (int i = 0; i < 3; i++) {
        assertEquals(ofAnn, get(running, url, of("ann")));
        assertEquals(ofBen, get(running, url, of("ben")));
      }
      String ofNone = get(running, url, of(null));
      assertNotEquals(ofAnn, ofNone);
      assertNotEquals(ofBen, ofNone);
      assertEquals(3, server.connections());
      assertEquals(3, running.pool().getTotalStats().getAvailable());
    }
  }

  @ParameterizedTest
  @EnumSource
  void eachUserHasSeparateConnectionsAsynchronouslyToo(AsyncTest.Carrier carrier, MockServer server)
      throws Exception {
    answerWithConnections(server);
    try (AsyncTest.Running running = carrier.start()) {
      String url = server.url("/");
      String ofAnn = get(running, url, of("ann"));
      String ofBen = get(running, url, of("ben"));
      assertNotEquals(ofAnn, ofBen);
      assertEquals(ofAnn, get(running, url, of("ann")));
      assertEquals(ofBen, get(running, url, of("ben")));
      assertEquals(2, server.connections());
    }
  }

  /** All connections of a manager show the same certificate. */
  @Test
  void usersWithAClientCertificateShareConnections(MockServer server) throws Exception {
    answerWithConnections(server);
    try (Stack.Running running = Stack.HEDDLE.start()) {
      String first = get(running, server.url("/"), of(new X500Principal("CN=client")));
      assertEquals(first, get(running, server.url("/"), of(null)));
    }
  }

  // ---- schemes that authenticate connections

  /** Says hello, gets a number, and answers with it; then the connection belongs to its user. */
  private static final class TwoSteps extends AuthSchemeBase {
    private String challenge = "";
    private boolean complete;

    @Override
    protected void parseChallenge(CharArrayBuffer buffer, int from, int to) {
      challenge = buffer.substringTrimmed(from, to);
    }

    @Override
    @SuppressWarnings("deprecation") // Apache's base class has no other
    public Header authenticate(@Nullable Credentials credentials, HttpRequest request) {
      complete = !challenge.isEmpty();
      String user =
          credentials == null ? "none" : credentials.getUserPrincipal().getName();
      return new BasicHeader(
          "Authorization", "NTLM " + (complete ? challenge + "-" + user : "hello"));
    }

    @Override
    public String getSchemeName() {
      return "NTLM";
    }

    @Override
    public @Nullable String getParameter(String name) {
      return null;
    }

    @Override
    public @Nullable String getRealm() {
      return null;
    }

    @Override
    public boolean isConnectionBased() {
      return true;
    }

    @Override
    public boolean isComplete() {
      return complete;
    }
  }

  private static final Registry<AuthSchemeProvider> SCHEMES =
      RegistryBuilder.<AuthSchemeProvider>create()
          .register("ntlm", context -> (AuthScheme) new TwoSteps())
          .build();

  /** Authenticates each connection by two steps, which must come on the same connection. */
  private static final class Gatekeeper {
    private final Set<Integer> greeted = ConcurrentHashMap.newKeySet();
    private final Set<Integer> known = ConcurrentHashMap.newKeySet();

    MockResponse answer(RecordedRequest request) {
      int on = request.connection();
      String shown = request.header("Authorization");
      if ("NTLM hello".equals(shown) && greeted.add(on)) {
        return MockResponse.of(401).header("WWW-Authenticate", "NTLM " + (1000 + on));
      }
      if (shown != null && shown.startsWith("NTLM " + (1000 + on) + "-") && greeted.contains(on)) {
        known.add(on);
      }
      return known.contains(on)
          ? MockResponse.ok("on " + on)
          : MockResponse.of(401).header("WWW-Authenticate", "NTLM");
    }
  }

  private static UnaryOperator<HttpClientBuilder> as(String user) {
    BasicCredentialsProvider credentials = new BasicCredentialsProvider();
    credentials.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials(user, "p"));
    return builder ->
        builder.setDefaultAuthSchemeRegistry(SCHEMES).setDefaultCredentialsProvider(credentials);
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatASchemeHasAuthenticatedIsItsUsersAlone(Stack stack, MockServer server)
      throws Exception {
    Gatekeeper gatekeeper = new Gatekeeper();
    server.handler(gatekeeper::answer);
    String url = server.url("/");
    try (Stack.Running running = stack.start(null, as("ann"))) {
      HttpClientContext ann = HttpClientContext.create();
      String first = get(running, url, ann);
      assertTrue(first.startsWith("200 on "), first);
      int asked = server.requests().size();
      assertEquals(first, get(running, url, ann));
      assertEquals(asked + 1, server.requests().size());
      assertNotEquals(first, get(running, url, of(null)));
      assertEquals(2, gatekeeper.known.size());
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionIsAuthenticatedAsynchronouslyToo(AsyncTest.Carrier carrier, MockServer server)
      throws Exception {
    server.handler(new Gatekeeper()::answer);
    BasicCredentialsProvider credentials = new BasicCredentialsProvider();
    credentials.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials("ann", "p"));
    String url = server.url("/");
    try (AsyncTest.Running running = carrier.start(builder ->
        builder.setDefaultAuthSchemeRegistry(SCHEMES).setDefaultCredentialsProvider(credentials))) {
      HttpClientContext ann = HttpClientContext.create();
      String first = get(running, url, ann);
      assertTrue(first.startsWith("200 on "), first);
      assertEquals(first, get(running, url, ann));
      assertNotEquals(first, get(running, url, of("ben")));
    }
  }

  // ---- connections that are not used any more

  @ParameterizedTest
  @EnumSource
  void idleConnectionsAreClosed(Stack stack, MockServer server) throws Exception {
    answerWithConnections(server);
    try (Stack.Running running = stack.start()) {
      for (@Nullable String user : new @Nullable String[] {null, "ann"}) {
        String first = get(running, server.url("/"), of(user));
        running.manager().closeIdleConnections(1, TimeUnit.HOURS);
        assertEquals(first, get(running, server.url("/"), of(user)));
        running.manager().closeIdleConnections(0, TimeUnit.SECONDS);
        assertEquals(0, running.pool().getTotalStats().getAvailable());
        assertNotEquals(first, get(running, server.url("/"), of(user)));
        running.manager().closeIdleConnections(0, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void idleConnectionsAreClosedAsynchronouslyToo(MockServer server) throws Exception {
    answerWithConnections(server);
    try (AsyncTest.Running running = AsyncTest.Carrier.HEDDLE.start()) {
      PoolControl pool = (PoolControl) running.manager();
      String first = get(running, server.url("/"), of("ann"));
      pool.closeIdleConnections(1, TimeUnit.HOURS);
      assertEquals(first, get(running, server.url("/"), of("ann")));
      pool.closeIdleConnections(0, TimeUnit.SECONDS);
      assertEquals(0, pool.getTotalStats().getAvailable());
      assertNotEquals(first, get(running, server.url("/"), of("ann")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void expiredConnectionsAreForgotten(Stack stack, MockServer server) throws Exception {
    answerWithConnections(server);
    try (Stack.Running running =
        stack.start(null, builder -> builder.setKeepAliveStrategy((response, context) -> 1))) {
      assertEquals("200 on 1", get(running, server.url("/"), of("ann")).replaceAll("\\d+$", "1"));
      while (running.pool().getTotalStats().getAvailable() > 0) {
        running.manager().closeExpiredConnections();
      }
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }
}
