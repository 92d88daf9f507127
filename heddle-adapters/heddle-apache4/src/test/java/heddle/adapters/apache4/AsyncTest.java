package heddle.adapters.apache4;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.apache.http.ConnectionClosedException;
import org.apache.http.HttpHost;
import org.apache.http.HttpResponse;
import org.apache.http.auth.AuthScope;
import org.apache.http.auth.UsernamePasswordCredentials;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.config.RegistryBuilder;
import org.apache.http.conn.routing.HttpRoute;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.BasicCredentialsProvider;
import org.apache.http.impl.nio.client.CloseableHttpAsyncClient;
import org.apache.http.impl.nio.client.HttpAsyncClientBuilder;
import org.apache.http.impl.nio.client.HttpAsyncClients;
import org.apache.http.impl.nio.conn.PoolingNHttpClientConnectionManager;
import org.apache.http.impl.nio.reactor.DefaultConnectingIOReactor;
import org.apache.http.nio.IOControl;
import org.apache.http.nio.client.methods.AsyncByteConsumer;
import org.apache.http.nio.client.methods.HttpAsyncMethods;
import org.apache.http.nio.conn.NHttpClientConnectionManager;
import org.apache.http.nio.conn.NoopIOSessionStrategy;
import org.apache.http.nio.conn.SchemeIOSessionStrategy;
import org.apache.http.nio.conn.ssl.SSLIOSessionStrategy;
import org.apache.http.pool.ConnPoolControl;
import org.apache.http.protocol.HttpContext;
import org.apache.http.ssl.SSLContexts;
import org.apache.http.util.EntityUtils;
import org.elasticsearch.client.Request;
import org.elasticsearch.client.Response;
import org.elasticsearch.client.ResponseException;
import org.elasticsearch.client.ResponseListener;
import org.elasticsearch.client.RestClient;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Asynchronous requests, their responses and failures are the same over both. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class AsyncTest {
  enum Carrier {
    STOCK {
      @Override
      NHttpClientConnectionManager manager(@Nullable SSLContext tls) throws IOException {
        SSLContext trusted = tls == null ? SSLContexts.createDefault() : tls;
        return new PoolingNHttpClientConnectionManager(
            new DefaultConnectingIOReactor(),
            RegistryBuilder.<SchemeIOSessionStrategy>create()
                .register("http", NoopIOSessionStrategy.INSTANCE)
                .register("https", new SSLIOSessionStrategy(trusted))
                .build());
      }
    },

    HEDDLE {
      @Override
      NHttpClientConnectionManager manager(@Nullable SSLContext tls) {
        HeddleConnectionManagerBuilder builder = HeddleConnectionManager.builder();
        return (tls == null ? builder : builder.setSSLContext(tls)).buildAsync();
      }
    };

    abstract NHttpClientConnectionManager manager(@Nullable SSLContext tls) throws IOException;

    Running start() throws IOException {
      return start(builder -> builder);
    }

    Running start(UnaryOperator<HttpAsyncClientBuilder> more) throws IOException {
      return start(null, more);
    }

    Running start(@Nullable SSLContext tls, UnaryOperator<HttpAsyncClientBuilder> more)
        throws IOException {
      NHttpClientConnectionManager manager = manager(tls);
      CloseableHttpAsyncClient client =
          more.apply(HttpAsyncClients.custom().setConnectionManager(manager)).build();
      client.start();
      return new Running(client, manager);
    }
  }

  record Running(CloseableHttpAsyncClient client, NHttpClientConnectionManager manager)
      implements AutoCloseable {
    String send(HttpUriRequest request) throws Exception {
      HttpResponse response = client.execute(request, null).get();
      return response.getStatusLine().getStatusCode() + " "
          + EntityUtils.toString(response.getEntity());
    }

    @SuppressWarnings("unchecked") // both managers are for routes
    ConnPoolControl<HttpRoute> pool() {
      return (ConnPoolControl<HttpRoute>) manager;
    }

    /** A future may be completed just before its connection is released. */
    void awaitNothingLeased() {
      while (pool().getTotalStats().getLeased() > 0) {
        Thread.onSpinWait();
      }
    }

    @Override
    public void close() throws IOException {
      client.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConnectionServesOneRequestAfterTheOther(Carrier carrier, MockServer server)
      throws Exception {
    server.answer("/", MockResponse.ok("one"));
    try (Running running = carrier.start()) {
      for (int i = 0; i < 3; i++) {
        assertEquals("200 one", running.send(new HttpGet(server.url("/"))));
        running.awaitNothingLeased();
      }
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void entitiesOfAnyLengthAreSentAndReceived(Carrier carrier, MockServer server) throws Exception {
    server.handler(request -> MockResponse.ok(request.body()));
    try (Running running = carrier.start()) {
      for (int length : new int[] {0, 3, 100_000, 1_000_000}) {
        for (boolean chunked : new boolean[] {false, true}) {
          HttpPost post = new HttpPost(server.url("/"));
          ByteArrayEntity entity = new ByteArrayEntity(new byte[length]);
          entity.setChunked(chunked);
          post.setEntity(entity);
          HttpResponse response = running.client().execute(post, null).get();
          assertEquals(length, EntityUtils.toByteArray(response.getEntity()).length);
        }
      }
      running.awaitNothingLeased();
    }
  }

  @ParameterizedTest
  @EnumSource
  void redirectsAndChallengesAreApaches(Carrier carrier, MockServer server) throws Exception {
    server.handler(request -> request.target().equals("/old")
        ? MockResponse.of(302).header("Location", "/new")
        : request.header("Authorization") == null
            ? MockResponse.of(401)
                .header("WWW-Authenticate", "Basic realm=\"r\"")
                .body("who?")
            : MockResponse.ok(String.valueOf(request.header("Authorization"))));
    BasicCredentialsProvider known = new BasicCredentialsProvider();
    known.setCredentials(AuthScope.ANY, new UsernamePasswordCredentials("u", "p"));
    try (Running running = carrier.start(builder -> builder.setDefaultCredentialsProvider(known))) {
      assertEquals("200 Basic dTpw", running.send(new HttpGet(server.url("/old"))));
      running.awaitNothingLeased();
      assertEquals(1, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aConsumerMaySuspendItsInput(Carrier carrier, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok(new byte[500_000]));
    try (Running running = carrier.start()) {
      int[] count = new int[1];
      Future<Integer> result = running
          .client()
          .execute(
              HttpAsyncMethods.createGet(server.url("/")),
              new AsyncByteConsumer<Integer>() {
                @Override
                protected void onResponseReceived(HttpResponse response) {}

                @Override
                protected void onByteReceived(ByteBuffer buffer, IOControl control) {
                  count[0] += buffer.remaining();
                  control.suspendInput();
                  Thread.ofVirtual().start(control::requestInput);
                }

                @Override
                protected Integer buildResult(HttpContext context) {
                  return count[0];
                }
              },
              null);
      assertEquals(500_000, result.get());
      running.awaitNothingLeased();
    }
  }

  @ParameterizedTest
  @EnumSource
  void hundredsOfRequestsShareTheConnections(Carrier carrier, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("text"));
    try (Running running = carrier.start()) {
      running.pool().setMaxTotal(5);
      running.pool().setDefaultMaxPerRoute(5);
      List<Future<HttpResponse>> all = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        all.add(running.client().execute(new HttpGet(server.url("/")), null));
      }
      for (Future<HttpResponse> each : all) {
        assertEquals("text", EntityUtils.toString(each.get().getEntity()));
      }
      assertTrue(server.connections() <= 5);
      running.awaitNothingLeased();
    }
  }

  private static Throwable failure(Running running, HttpUriRequest request) {
    return assertThrows(
            ExecutionException.class,
            () -> running.client().execute(request, null).get())
        .getCause();
  }

  @ParameterizedTest
  @EnumSource
  void failuresAreThoseOfApache(Carrier carrier, MockServer server) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    server.answer("/cut", MockResponse.ok("never").with(MockFault.cutInHead(0)));
    server.answer("/late", MockResponse.ok("late").after(Duration.ofHours(1)));
    server.answer("/part", MockResponse.ok("all of it").with(MockFault.cutInBody(3)));
    try (Running running = carrier.start()) {
      assertInstanceOf(
          ConnectException.class, failure(running, new HttpGet("http://localhost:" + port + "/")));
      assertInstanceOf(
          ConnectionClosedException.class, failure(running, new HttpGet(server.url("/cut"))));
      assertInstanceOf(
          ConnectionClosedException.class, failure(running, new HttpGet(server.url("/part"))));
      HttpGet late = new HttpGet(server.url("/late"));
      late.setConfig(RequestConfig.custom().setSocketTimeout(50).build());
      assertInstanceOf(SocketTimeoutException.class, failure(running, late));
      running.awaitNothingLeased();
    }
  }

  @ParameterizedTest
  @EnumSource
  void cancellingEndsTheExchange(Carrier carrier, MockServer server) throws Exception {
    server.answer("/", MockResponse.ok("late").after(Duration.ofHours(1)));
    try (Running running = carrier.start()) {
      Future<HttpResponse> result = running.client().execute(new HttpGet(server.url("/")), null);
      server.takeRequest();
      var unused = result.cancel(true);
      assertTrue(result.isCancelled());
      running.awaitNothingLeased();
    }
  }

  // ---- Elasticsearch's low-level client

  private static RestClient elasticsearch(Carrier carrier, MockServer server) {
    return RestClient.builder(new HttpHost("localhost", server.port()))
        .setHttpClientConfigCallback(builder -> {
          return carrier == Carrier.STOCK
              ? builder
              : builder.setConnectionManager(HeddleAsyncConnectionManager.create());
        })
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void elasticsearchsClientWorks(Carrier carrier, MockServer server) throws Exception {
    server.handler(request -> switch (request.target()) {
      case "/_doc" -> MockResponse.ok(request.body()).header("Content-Type", "application/json");
      case "/missing" -> MockResponse.of(404).body("none");
      default -> MockResponse.ok("");
    });
    try (RestClient client = elasticsearch(carrier, server)) {
      Request index = new Request("POST", "/_doc");
      index.setJsonEntity("{\"a\":1}");
      Response response = client.performRequest(index);
      assertEquals(200, response.getStatusLine().getStatusCode());
      assertEquals("{\"a\":1}", EntityUtils.toString(response.getEntity()));
      ResponseException missing = assertThrows(
          ResponseException.class, () -> client.performRequest(new Request("GET", "/missing")));
      assertEquals(404, missing.getResponse().getStatusLine().getStatusCode());
      List<CompletableFuture<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        CompletableFuture<Integer> each = new CompletableFuture<>();
        // Its entity has a position, so each request needs one.
        Request one = new Request("POST", "/_doc");
        one.setJsonEntity("{\"a\":1}");
        client.performRequestAsync(one, new ResponseListener() {
          @Override
          public void onSuccess(Response answer) {
            each.complete(answer.getStatusLine().getStatusCode());
          }

          @Override
          public void onFailure(Exception failure) {
            each.completeExceptionally(failure);
          }
        });
        all.add(each);
      }
      for (CompletableFuture<Integer> each : all) {
        assertEquals(200, each.get());
      }
      assertEquals(
          "{\"a\":1}", new String(server.requests().getLast().body(), StandardCharsets.UTF_8));
    }
  }
}
