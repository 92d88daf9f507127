package heddle.adapters.apache4;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.GZIPOutputStream;
import org.apache.http.ConnectionClosedException;
import org.apache.http.HttpException;
import org.apache.http.HttpHost;
import org.apache.http.NoHttpResponseException;
import org.apache.http.TruncatedChunkException;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpHead;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.config.SocketConfig;
import org.apache.http.conn.ConnectionPoolTimeoutException;
import org.apache.http.conn.HttpHostConnectException;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.entity.InputStreamEntity;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.BasicCookieStore;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.util.EntityUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests, their responses and failures are the same over both. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class ClassicTest {
  /** More connections than requests that Apache repeats by default. */
  private static final int IDLE = 5;

  private static void assertNothingIsLeased(Stack.Running running) {
    assertEquals(0, running.pool().getTotalStats().getLeased());
  }

  private static Stack.Running withoutRetries(Stack stack) {
    return stack.start(null, HttpClientBuilder::disableAutomaticRetries);
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionServesOneRequestAfterTheOther(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/a", MockResponse.ok("one"));
      assertEquals("200 one", running.get(server.url("/a?b=c")));
      assertEquals("200 one", running.get(server.url("/a?b=c")));
      assertEquals(1, server.connections());
      assertNothingIsLeased(running);
      assertEquals(1, running.pool().getTotalStats().getAvailable());
      assertEquals("127.0.0.1:" + server.port(), server.takeRequest().header("Host"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void responsesWithoutContentLeaveTheConnectionOpen(Stack stack, MockServer server)
      throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/none", MockResponse.of(204));
      server.answer("/", MockResponse.ok("text"));
      assertEquals("204", running.get(server.url("/none")));
      assertEquals("200", running.send(new HttpHead(server.url("/"))));
      assertEquals("200 text", running.get(server.url("/")));
      assertEquals(1, server.connections());
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void entitiesOfKnownAndUnknownLengthAreSent(Stack stack, MockServer server) throws Exception {
    byte[] large = new byte[1_000_000];
    new Random(7).nextBytes(large);
    server.handler(request -> MockResponse.ok(request.body()));
    try (Stack.Running running = stack.start()) {
      for (int length : new int[] {0, 3, 100_000, large.length}) {
        byte[] sent = java.util.Arrays.copyOf(large, length);
        for (var entity : List.of(
            new ByteArrayEntity(sent), new InputStreamEntity(new ByteArrayInputStream(sent)))) {
          HttpPost post = new HttpPost(server.url("/"));
          post.setEntity(entity);
          try (CloseableHttpResponse response = running.client().execute(post)) {
            assertArrayEquals(sent, EntityUtils.toByteArray(response.getEntity()));
          }
        }
      }
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void whatAnEntityThrowsReachesTheCaller(Stack stack, MockServer server) throws Exception {
    IOException thrown = new IOException("no more");
    try (Stack.Running running = withoutRetries(stack)) {
      HttpPost post = new HttpPost(server.url("/"));
      post.setEntity(new org.apache.http.entity.EntityTemplate(out -> {
        throw new java.io.UncheckedIOException(thrown);
      }));
      RuntimeException seen =
          assertThrows(RuntimeException.class, () -> running.client().execute(post));
      assertEquals(thrown, seen.getCause());
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void anExpectationIsSentAndItsEntityFollows(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("got it"));
    try (Stack.Running running = stack.start()) {
      HttpPost post = new HttpPost(server.url("/"));
      post.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
      post.setEntity(new StringEntity("text"));
      assertEquals("200 got it", running.send(post));
      assertEquals("text", server.takeRequest().text());
    }
  }

  @ParameterizedTest
  @EnumSource
  void redirectsCookiesAndGzipAreApaches(Stack stack, MockServer server) throws Exception {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
      out.write("zipped".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    server.answer(
        "/old", MockResponse.of(302).header("Location", "/new").header("Set-Cookie", "a=b"));
    server.answer("/new", MockResponse.ok(zipped.toByteArray()).header("Content-Encoding", "gzip"));
    BasicCookieStore cookies = new BasicCookieStore();
    try (Stack.Running running =
        stack.start(null, builder -> builder.setDefaultCookieStore(cookies))) {
      assertEquals("200 zipped", running.get(server.url("/old")));
      assertEquals(1, cookies.getCookies().size());
      server.takeRequest();
      assertEquals("a=b", server.takeRequest().header("Cookie"));
      assertEquals(1, server.connections());
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep-alive", "close"})
  void challengesAreAnsweredByApache(String connection, MockServer server) throws Exception {
    server.handler(request -> request.header("Authorization") == null
        ? MockResponse.of(401)
            .header("WWW-Authenticate", "Basic realm=\"r\"")
            .header("Connection", connection)
        : MockResponse.ok(String.valueOf(request.header("Authorization"))));
    BasicCredentialsProvider known = new BasicCredentialsProvider();
    known.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials("u", "p"));
    for (Stack stack : Stack.values()) {
      try (Stack.Running running =
          stack.start(null, builder -> builder.setDefaultCredentialsProvider(known))) {
        assertEquals("200 Basic dTpw", running.get(server.url("/")));
        assertNothingIsLeased(running);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void requestsForHttpTargetsAreSentToTheirProxy(Stack stack, MockServer server) throws Exception {
    server.handler(request -> MockResponse.ok(request.target()));
    HttpHost proxy = new HttpHost("localhost", server.port());
    try (Stack.Running running = stack.start(null, builder -> builder.setProxy(proxy))) {
      assertEquals("200 http://origin.test/a?b", running.get("http://origin.test/a?b"));
      assertEquals("origin.test", server.takeRequest().header("Host"));
    }
  }

  // ---- failures

  @ParameterizedTest
  @EnumSource
  void noOneListens(Stack stack) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (Stack.Running running = stack.start()) {
      assertThrows(
          HttpHostConnectException.class, () -> running.get("http://localhost:" + port + "/"));
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theServerClosesInsteadOfAnswering(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("never").with(MockFault.cutInHead(0)));
    try (Stack.Running running = withoutRetries(stack)) {
      assertThrows(NoHttpResponseException.class, () -> running.get(server.url("/")));
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void truncatedContentIsAFailure(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("all of it").with(MockFault.cutInBody(3)));
    try (Stack.Running running = withoutRetries(stack)) {
      server.answer("/chunks", MockResponse.ok("all of it").chunked().with(MockFault.cutInBody(3)));
      assertThrows(ConnectionClosedException.class, () -> running.get(server.url("/")));
      assertThrows(TruncatedChunkException.class, () -> running.get(server.url("/chunks")));
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSilentServerIsLeftAfterTheSocketTimeout(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("late").after(Duration.ofHours(1)));
    try (Stack.Running running = withoutRetries(stack)) {
      HttpGet get = new HttpGet(server.url("/"));
      get.setConfig(RequestConfig.custom().setSocketTimeout(50).build());
      SocketTimeoutException late =
          assertThrows(SocketTimeoutException.class, () -> running.send(get));
      assertTrue(String.valueOf(late.getMessage()).startsWith("Read timed out"), late::toString);
      if (stack == Stack.HEDDLE) {
        assertTrue(
            String.valueOf(late.getMessage()).endsWith("; raise RequestConfig.setSocketTimeout"),
            late::toString);
      }
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void noConnectionInTimeIsATimeoutOfThePool(Stack stack, MockServer server) throws Exception {
    server.answer(
        "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
    try (Stack.Running running = stack.start()) {
      running.pool().setDefaultMaxPerRoute(1);
      try (CloseableHttpResponse open = running.client().execute(new HttpGet(server.url("/")))) {
        HttpGet second = new HttpGet(server.url("/"));
        second.setConfig(RequestConfig.custom().setConnectionRequestTimeout(20).build());
        assertThrows(ConnectionPoolTimeoutException.class, () -> running.send(second));
        assertEquals(200, open.getStatusLine().getStatusCode());
        assertEquals(1, running.pool().getTotalStats().getLeased());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void abortingEndsARequest(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("late").after(Duration.ofHours(1)));
    try (Stack.Running running = withoutRetries(stack);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      HttpGet get = new HttpGet(server.url("/"));
      Future<String> result = threads.submit(() -> running.send(get));
      server.takeRequest();
      get.abort();
      var failed = assertThrows(java.util.concurrent.ExecutionException.class, result::get);
      assertInstanceOf(IOException.class, failed.getCause());
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionThatTheServerHasClosedIsNotUsed(Stack stack, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("text").header("Connection", "close"));
    try (Stack.Running running = withoutRetries(stack)) {
      for (int i = 0; i < 3; i++) {
        assertEquals("200 text", running.get(server.url("/")));
      }
      assertEquals(3, server.connections());
      assertEquals(0, running.pool().getTotalStats().getAvailable());
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyVirtualThreadsShareTheConnections(Stack stack, MockServer server) throws Exception {
    assumeTrue(
        stack == Stack.HEDDLE || Runtime.version().feature() >= 24,
        "the library's own pool waits in a monitor, which holds a carrier before Java 24");
    server.answer("/", MockResponse.ok("text"));
    try (Stack.Running running = stack.start();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(threads.submit(() -> running.get(server.url("/"))));
      }
      for (Future<String> each : all) {
        assertEquals("200 text", each.get());
      }
      assertTrue(server.connections() <= 20);
      assertNothingIsLeased(running);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aClosedClientRefusesRequests(Stack stack, MockServer server) throws Exception {
    Stack.Running running = stack.start();
    running.close();
    assertThrows(IllegalStateException.class, () -> running.get(server.url("/")));
  }

  // ---- what only Heddle does

  @Test
  void anUpgradeIsRefused(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      HttpGet get = new HttpGet(server.url("/"));
      get.setHeader("Upgrade", "websocket");
      IOException refused = assertThrows(IOException.class, () -> running.send(get));
      assertInstanceOf(HttpException.class, refused.getCause());
    }
  }

  @Test
  void optionsThatCannotBeHonouredAreRefusedByName() {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> HeddleConnectionManager.builder()
            .setDefaultSocketConfig(SocketConfig.custom().setSoLinger(3).build()));
    assertTrue(String.valueOf(refused.getMessage()).startsWith("SocketConfig.soLinger"));
  }

  /** The server closes each connection after one response, and does not say so. */
  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own repeats it on another connection that was left open
  void aRepeatedRequestGetsANewConnection(Stack stack, MockServer server) throws Exception {
    CyclicBarrier together = new CyclicBarrier(IDLE);
    MockHandler answers = request -> {
      if (request.target().equals("/together")) {
        together.await();
      }
      return MockResponse.ok("answered");
    };
    server.handler(answers.oncePerConnection());
    try (Stack.Running running = stack.start()) {
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < IDLE; i++) {
          threads.submit(() -> running.get(server.url("/together")));
        }
      }
      assertEquals("200 answered", running.get(server.url("/")));
      assertEquals(IDLE + 2, server.requests().size());
    }
  }
}
