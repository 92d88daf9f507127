package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockHandler;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.testkit.mock.RecordedRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPOutputStream;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.client5.http.HttpRequestRetryStrategy;
import org.apache.hc.client5.http.auth.AuthScope;
import org.apache.hc.client5.http.auth.UsernamePasswordCredentials;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpHead;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpPut;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.cookie.BasicCookieStore;
import org.apache.hc.client5.http.impl.auth.BasicCredentialsProvider;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests and their responses are the same over both. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class RequestsTest {
  /** More connections than requests that Apache repeats by default. */
  private static final int IDLE = 5;

  /** Repeats nothing, and records its calls. */
  private record NoRetry(List<Class<?>> seen) implements HttpRequestRetryStrategy {
    @Override
    public boolean retryRequest(
        HttpRequest request, IOException e, int count, HttpContext context) {
      seen.add(e.getClass());
      return false;
    }

    @Override
    public boolean retryRequest(HttpResponse response, int count, HttpContext context) {
      return false;
    }

    @Override
    public TimeValue getRetryInterval(HttpResponse response, int count, HttpContext context) {
      return TimeValue.ZERO_MILLISECONDS;
    }
  }

  private static final byte[] LARGE = new byte[700_000];

  static {
    new Random(5).nextBytes(LARGE);
  }

  private static MockResponse echo(RecordedRequest request) {
    return MockResponse.ok(request.body());
  }

  @ParameterizedTest
  @EnumSource
  void aResponseHasItsHeadAndContent(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer(
          "/", MockResponse.of(203).header("X-A", "1").header("X-A", "2").body("content"));
      running.client().execute(new HttpGet(server.url("/")), response -> {
        assertEquals(203, response.getCode());
        assertEquals("HTTP/1.1", response.getVersion().format());
        assertEquals(2, response.getHeaders("x-a").length);
        assertEquals(7, response.getEntity().getContentLength());
        assertFalse(response.getEntity().isChunked());
        assertEquals("content", EntityUtils.toString(response.getEntity()));
        return null;
      });
      assertNull(server.takeRequest().header("transfer-encoding"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void largeContentArrivesWholeHoweverItIsFramed(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/length", MockResponse.ok(LARGE));
      server.answer("/chunks", MockResponse.ok(LARGE).chunked());
      for (String path : List.of("/length", "/chunks")) {
        running.client().execute(new HttpGet(server.url(path)), response -> {
          assertEquals(path.equals("/chunks"), response.getEntity().isChunked());
          assertArrayEquals(LARGE, EntityUtils.toByteArray(response.getEntity()));
          return null;
        });
      }
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void targetsGoOutAsTheyWereGiven(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.handler(request -> MockResponse.ok("ok"));
      HttpHost host = new HttpHost("http", "localhost", server.port());
      for (String target : List.of("//a//b", "/a/../b/./c", "/%7e/%2F?q=%20&&=|", "/?", "/;p=1")) {
        ClassicHttpRequest request = new BasicClassicHttpRequest("GET", host, target);
        running.client().execute(host, request, response -> {
          EntityUtils.consume(response.getEntity());
          return null;
        });
        assertEquals(target, server.takeRequest().target());
      }
    }
  }

  @Test
  void aPathThatLacksItsSlashGetsIt(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      server.handler(request -> MockResponse.ok(request.target()));
      HttpHost host = new HttpHost("http", "localhost", server.port());
      for (String path : List.of("", "a/b", "?q=http://b.test/", "httpd", "**")) {
        ClassicHttpRequest get = new BasicClassicHttpRequest("GET", host, path);
        assertEquals("/" + path, answer(running, host, get));
      }
      ClassicHttpRequest options = new BasicClassicHttpRequest("OPTIONS", host, "*");
      assertEquals("*", answer(running, host, options));
      for (String other : List.of("http://b.test/", "HTTPS://b.test/", "*")) {
        ClassicHttpRequest get = new BasicClassicHttpRequest("GET", host, other);
        assertThrows(ClientProtocolException.class, () -> answer(running, host, get), other);
      }
    }
  }

  private static String answer(Stack.Running running, HttpHost host, ClassicHttpRequest request)
      throws IOException {
    return running
        .client()
        .execute(host, request, response -> EntityUtils.toString(response.getEntity()));
  }

  @ParameterizedTest
  @EnumSource
  void headAndStatusesWithoutContentHaveNoEntity(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("content"));
      server.answer("/204", MockResponse.of(204));
      server.answer("/304", MockResponse.of(304));
      running.client().execute(new HttpHead(server.url("/")), response -> {
        assertNull(response.getEntity());
        assertEquals("7", response.getFirstHeader("Content-Length").getValue());
        return null;
      });
      for (String path : List.of("/204", "/304")) {
        running.client().execute(new HttpGet(server.url(path)), response -> {
          assertNull(response.getEntity());
          return null;
        });
      }
      assertEquals(1, server.connections());
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void smallEntitiesAreSentWithTheirLength(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.handler(RequestsTest::echo);
      HttpPost post = new HttpPost(server.url("/"));
      post.setEntity(new StringEntity("Grüße", ContentType.TEXT_PLAIN.withCharset("UTF-8")));
      assertEquals("Grüße", running.client().execute(post, RequestsTest::text));
      RecordedRequest sent = server.takeRequest();
      assertEquals("7", sent.header("content-length"));
      assertEquals("text/plain; charset=UTF-8", sent.header("content-type"));
    }
  }

  private static String text(ClassicHttpResponse response) throws IOException, HttpException {
    return EntityUtils.toString(response.getEntity(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @EnumSource
  void largeEntitiesAndThoseThatWriteThemselvesArriveWhole(Stack stack, MockServer server)
      throws Exception {
    try (Stack.Running running = stack.start()) {
      server.handler(request -> MockResponse.ok(request.body()));
      HttpPut put = new HttpPut(server.url("/"));
      put.setEntity(new ByteArrayEntity(LARGE, null));
      assertArrayEquals(LARGE, running.client().execute(put, RequestsTest::bytes));
      assertEquals("" + LARGE.length, server.takeRequest().header("content-length"));
      put.setEntity(new EntityTemplate(-1, null, null, sink -> sink.write(LARGE)));
      assertArrayEquals(LARGE, running.client().execute(put, RequestsTest::bytes));
      assertEquals("chunked", server.takeRequest().header("transfer-encoding"));
      InputStream stream = new ByteArrayInputStream(LARGE);
      put.setEntity(new InputStreamEntity(stream, LARGE.length, null));
      assertArrayEquals(LARGE, running.client().execute(put, RequestsTest::bytes));
    }
  }

  private static byte[] bytes(ClassicHttpResponse response) throws IOException {
    return EntityUtils.toByteArray(response.getEntity());
  }

  @ParameterizedTest
  @EnumSource
  void redirectsCookiesCompressionAndCredentialsAreApaches(Stack stack, MockServer server)
      throws Exception {
    try (Stack.Running running = stack.start()) {
      ByteArrayOutputStream packed = new ByteArrayOutputStream();
      try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
        gzip.write("secret".getBytes(StandardCharsets.UTF_8));
      }
      server.answer(
          "/from",
          MockResponse.of(302).header("Location", "/to").header("Set-Cookie", "a=b; Path=/"));
      server.handler(request -> request.header("authorization") == null
          ? MockResponse.of(401).header("WWW-Authenticate", "Basic realm=\"r\"").body("who?")
          : MockResponse.ok(packed.toByteArray()).header("Content-Encoding", "gzip"));
      HttpClientContext context = HttpClientContext.create();
      context.setCookieStore(new BasicCookieStore());
      BasicCredentialsProvider known = new BasicCredentialsProvider();
      known.setCredentials(
          new AuthScope(null, -1), new UsernamePasswordCredentials("u", "p".toCharArray()));
      context.setCredentialsProvider(known);
      assertEquals(
          "secret",
          running.client().execute(new HttpGet(server.url("/from")), context, RequestsTest::text));
      List<RecordedRequest> sent = server.requests();
      assertEquals(3, sent.size());
      assertEquals("a=b", sent.get(2).header("cookie"));
      assertEquals("Basic dTpw", sent.get(2).header("authorization"));
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEntityWaitsForTheServerToContinue(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.handler(RequestsTest::echo);
      HttpPost post = new HttpPost(server.url("/"));
      post.setEntity(new StringEntity("wanted"));
      post.setConfig(RequestConfig.custom().setExpectContinueEnabled(true).build());
      assertEquals("wanted", running.client().execute(post, RequestsTest::text));
      assertEquals("100-continue", server.takeRequest().header("expect"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void interimResponsesAreNotTheAnswer(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("final").with(MockFault.interim(3)));
      assertEquals("200 final", running.get(server.url("/")));
    }
  }

  /** Counts what it does on the connection that it is given. */
  private static final class CountingExecutor extends HttpRequestExecutor {
    final List<String> seen = new ArrayList<>();

    @Override
    public ClassicHttpResponse execute(
        ClassicHttpRequest request,
        HttpClientConnection connection,
        HttpResponseInformationCallback callback,
        HttpContext context)
        throws IOException, HttpException {
      seen.add("open " + connection.isOpen() + " stale " + connection.isStale());
      request.addHeader("X-Executor", "mine");
      ClassicHttpResponse response = super.execute(request, connection, callback, context);
      seen.add("consistent " + connection.isConsistent());
      assertNotNull(connection.getRemoteAddress());
      response.addHeader("X-Seen", "yes");
      return response;
    }
  }

  @ParameterizedTest
  @EnumSource
  void aCustomExecutorIsCalled(Stack stack, MockServer server) throws Exception {
    CountingExecutor executor = new CountingExecutor();
    try (Stack.Running running = stack.start(b -> b.setRequestExecutor(executor))) {
      server.answer("/", MockResponse.ok("ok"));
      running.client().execute(new HttpGet(server.url("/")), response -> {
        assertEquals("yes", response.getFirstHeader("x-seen").getValue());
        return null;
      });
      assertEquals("mine", server.takeRequest().header("x-executor"));
      assertEquals("open true stale false", executor.seen.getFirst());
    }
  }

  @ParameterizedTest
  @EnumSource
  void exceptionsOfAnEntityAreRethrownUnchanged(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start(b -> b.disableAutomaticRetries())) {
      server.handler(RequestsTest::echo);
      IOException own = new IOException("the disk is gone");
      for (long length : List.of(-1L, 10L)) {
        HttpPost post = new HttpPost(server.url("/"));
        post.setEntity(new EntityTemplate(length, null, null, sink -> {
          throw own;
        }));
        assertEquals(own, assertThrows(IOException.class, () -> running
            .client()
            .execute(post, RequestsTest::text)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsRepeatedBehindARetryStrategysBack(Stack stack, MockServer server) throws Exception {
    List<Class<?>> seen = new ArrayList<>();
    HttpRequestRetryStrategy never = new NoRetry(seen);
    try (Stack.Running running = stack.start(b -> b.setRetryStrategy(never))) {
      server.enqueue("/", MockResponse.ok("first"));
      server.enqueue("/", MockResponse.ok("never").with(MockFault.cutInHead(0)));
      server.enqueue("/", MockResponse.ok("not asked for"));
      assertEquals("200 first", running.get(server.url("/")));
      assertThrows(
          org.apache.hc.core5.http.NoHttpResponseException.class,
          () -> running.get(server.url("/")));
      assertEquals(List.of(org.apache.hc.core5.http.NoHttpResponseException.class), seen);
      assertEquals(2, server.requests().size());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aRequestThatCannotBeSentIsRefused(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      HttpHost host = new HttpHost("http", "localhost", server.port());
      ClassicHttpRequest bad = new BasicClassicHttpRequest("GET", host, "/a b");
      ClientProtocolException refused = assertThrows(
          ClientProtocolException.class,
          () -> running.client().execute(host, bad, RequestsTest::text));
      assertTrue(refused.getMessage().contains("cannot be sent"), refused::toString);
      HttpGet upgrade = new HttpGet(server.url("/"));
      upgrade.addHeader("Upgrade", "websocket");
      ClientProtocolException socket = assertThrows(
          ClientProtocolException.class,
          () -> running.client().execute(upgrade, RequestsTest::text));
      assertTrue(socket.getMessage().contains("websocket"), socket::toString);
      assertEquals(0, server.connections());
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
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
