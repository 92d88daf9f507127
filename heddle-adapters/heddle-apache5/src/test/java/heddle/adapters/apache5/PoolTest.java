package heddle.adapters.apache5;

import static org.apache.hc.core5.util.Timeout.DISABLED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.io.HttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.message.BasicHeader;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolStats;
import org.apache.hc.core5.util.TimeValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Limits, what is leased, and the end. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class PoolTest {
  private static HttpRoute route(MockServer server) {
    return new HttpRoute(new HttpHost("http", "localhost", server.port()));
  }

  private static ConnectionEndpoint lease(HttpClientConnectionManager manager, HttpRoute route)
      throws Exception {
    return manager.lease("id", route, DISABLED, null).get(DISABLED);
  }

  private static String exchange(ConnectionEndpoint endpoint, HttpRoute route) throws Exception {
    var request = new BasicClassicHttpRequest("GET", route.getTargetHost(), "/");
    request.addHeader(new BasicHeader("Host", route.getTargetHost().toHostString()));
    try (ClassicHttpResponse response = endpoint.execute(
        "id", request, new HttpRequestExecutor()::execute, HttpClientContext.create())) {
      return EntityUtils.toString(response.getEntity());
    }
  }

  @ParameterizedTest
  @EnumSource
  void noMoreThanTheLimitAreLeasedAndWhoWaitsIsServed(Stack stack, MockServer server)
      throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 1;
    try (Stack.Running running = stack.start(setup)) {
      server.answer("/", MockResponse.ok("ok"));
      HttpClientConnectionManager manager = running.manager();
      HttpRoute route = route(server);
      ConnectionEndpoint first = lease(manager, route);
      var waiting = manager.lease("id", route, DISABLED, null);
      assertEquals(1, running.pool().getTotalStats().getPending());
      assertEquals(1, running.pool().getStats(route).getPending());
      assertThrows(
          TimeoutException.class,
          () -> waiting.get(org.apache.hc.core5.util.Timeout.ofMilliseconds(10)));
      if (stack == Stack.HEDDLE) {
        // Apache's own pool counts cancelled requests until it checks again.
        assertEquals(0, running.pool().getTotalStats().getPending());
      }
      var next = manager.lease("id", route, DISABLED, null);
      manager.release(first, null, TimeValue.NEG_ONE_MILLISECOND);
      ConnectionEndpoint second = next.get(org.apache.hc.core5.util.Timeout.ofSeconds(30));
      assertEquals(1, running.pool().getTotalStats().getLeased());
      manager.release(second, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEndpointIsReleasedOnce(Stack stack, MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 2;
    try (Stack.Running running = stack.start(setup)) {
      HttpClientConnectionManager manager = running.manager();
      HttpRoute route = route(server);
      ConnectionEndpoint one = lease(manager, route);
      ConnectionEndpoint other = lease(manager, route);
      manager.release(one, null, TimeValue.NEG_ONE_MILLISECOND);
      manager.release(one, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(1, running.pool().getTotalStats().getLeased());
      manager.release(other, null, TimeValue.NEG_ONE_MILLISECOND);
    }
  }

  /** Reads no more than the head. */
  private static ClassicHttpResponse head(
      ClassicHttpRequest request, HttpClientConnection connection, HttpContext context)
      throws IOException, HttpException {
    connection.sendRequestHeader(request);
    connection.flush();
    return connection.receiveResponseHeader();
  }

  @Test
  void contentThatAnExecutorDoesNotReadIsDiscarded(MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 1; // Heddle has one place then, which the second request needs.
    try (Stack.Running running = Stack.HEDDLE.start(setup)) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      HttpRoute route = route(server);
      ConnectionEndpoint endpoint = lease(running.manager(), route);
      running.manager().connect(endpoint, null, HttpClientContext.create());
      for (int i = 0; i < 2; i++) {
        var request = new BasicClassicHttpRequest("GET", route.getTargetHost(), "/");
        try (ClassicHttpResponse response =
            endpoint.execute("id", request, PoolTest::head, HttpClientContext.create())) {
          assertEquals(200, response.getCode());
        }
      }
      assertEquals(2, server.connections());
      running.manager().release(endpoint, null, null);
    }
  }

  @Test
  void releasingEndsARunningExchange(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      HttpRoute route = route(server);
      ConnectionEndpoint endpoint = lease(running.manager(), route);
      running.manager().connect(endpoint, null, HttpClientContext.create());
      var request = new BasicClassicHttpRequest("GET", route.getTargetHost(), "/");
      ClassicHttpResponse response = endpoint.execute(
          "id", request, new HttpRequestExecutor()::execute, HttpClientContext.create());
      InputStream content = response.getEntity().getContent();
      running.manager().release(endpoint, null, TimeValue.NEG_ONE_MILLISECOND);
      assertThrows(IOException.class, content::readAllBytes);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLeaseThatWasTakenIsNotCancelled(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      var request = running.manager().lease("id", route(server), DISABLED, null);
      ConnectionEndpoint endpoint = request.get(DISABLED);
      assertFalse(request.cancel());
      assertEquals(1, running.pool().getTotalStats().getLeased());
      running.manager().release(endpoint, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLeaseThatIsCancelledLetsOthersIn(Stack stack, MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 1;
    try (Stack.Running running = stack.start(setup)) {
      HttpRoute route = route(server);
      ConnectionEndpoint holder = lease(running.manager(), route);
      var given = running.manager().lease("id", route, DISABLED, null);
      var waiting = running.manager().lease("id", route, DISABLED, null);
      assertTrue(given.cancel());
      running.manager().release(holder, null, TimeValue.NEG_ONE_MILLISECOND);
      ConnectionEndpoint next = waiting.get(org.apache.hc.core5.util.Timeout.ofSeconds(30));
      running.manager().release(next, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(0, running.pool().getTotalStats().getLeased());
      assertEquals(0, running.pool().getTotalStats().getPending());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anEndpointReleasedOpenIsLeasedOpen(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("ok"));
      HttpClientConnectionManager manager = running.manager();
      HttpRoute route = route(server);
      ConnectionEndpoint first = lease(manager, route);
      assertFalse(first.isConnected());
      manager.connect(first, null, HttpClientContext.create());
      assertTrue(first.isConnected());
      assertEquals("ok", exchange(first, route));
      manager.release(first, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(1, running.pool().getStats(route).getAvailable());
      assertEquals(Set.of(route), running.pool().getRoutes());
      ConnectionEndpoint second = lease(manager, route);
      assertTrue(second.isConnected());
      assertEquals("ok", exchange(second, route));
      assertEquals(1, server.connections());
      second.close(CloseMode.IMMEDIATE);
      manager.release(second, null, TimeValue.NEG_ONE_MILLISECOND);
      assertEquals(0, running.pool().getStats(route).getAvailable());
    }
  }

  @ParameterizedTest
  @EnumSource
  void idleConnectionsAreClosedOnDemand(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("ok"));
      assertEquals("200 ok", running.get(server.url("/")));
      running.pool().closeIdle(TimeValue.ofHours(1));
      assertEquals("200 ok", running.get(server.url("/")));
      assertEquals(1, server.connections());
      running.pool().closeIdle(TimeValue.ZERO_MILLISECONDS);
      assertEquals(0, running.pool().getTotalStats().getAvailable());
      assertEquals("200 ok", running.get(server.url("/")));
      assertEquals(2, server.connections());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRouteMayHaveItsOwnLimitAndLimitsMayBeRaised(Stack stack, MockServer server)
      throws Exception {
    try (Stack.Running running = stack.start()) {
      HttpRoute route = route(server);
      var pool = running.pool();
      pool.setMaxPerRoute(route, 1);
      assertEquals(1, pool.getMaxPerRoute(route));
      assertEquals(20, pool.getDefaultMaxPerRoute());
      ConnectionEndpoint first = lease(running.manager(), route);
      var waiting = running.manager().lease("id", route, DISABLED, null);
      pool.setMaxPerRoute(route, 2);
      ConnectionEndpoint second = stack == Stack.HEDDLE
          ? waiting.get(org.apache.hc.core5.util.Timeout.ofSeconds(30))
          : null;
      pool.setMaxTotal(7);
      assertEquals(7, pool.getMaxTotal());
      pool.setDefaultMaxPerRoute(3);
      assertEquals(3, pool.getDefaultMaxPerRoute());
      running.manager().release(first, null, TimeValue.NEG_ONE_MILLISECOND);
      if (second != null) {
        running.manager().release(second, null, TimeValue.NEG_ONE_MILLISECOND);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void waitingTooLongTimesOut(Stack stack, MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxPerRoute = 1;
    try (Stack.Running running = stack.start(setup)) {
      HttpRoute route = route(server);
      ConnectionEndpoint holder = lease(running.manager(), route);
      HttpGet get = new HttpGet("http://localhost:" + server.port() + "/");
      get.setConfig(RequestConfig.custom()
          .setConnectionRequestTimeout(20, TimeUnit.MILLISECONDS)
          .build());
      assertThrows(
          ConnectionRequestTimeoutException.class,
          () -> running.client().execute(get, response -> null));
      running.manager().release(holder, null, TimeValue.NEG_ONE_MILLISECOND);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aThousandCallersShareAFewConnections(Stack stack, MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 5;
    setup.maxPerRoute = 5;
    try (Stack.Running running = stack.start(setup);
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      server.answer("/", MockResponse.ok("ok"));
      List<Future<String>> answers = new ArrayList<>();
      for (int i = 0; i < 1000; i++) {
        answers.add(callers.submit(() -> running.get(server.url("/"))));
      }
      for (Future<String> answer : answers) {
        assertEquals("200 ok", answer.get());
      }
      assertTrue(server.connections() <= 5, () -> server.connections() + " connections");
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void closingEndsWhatIsUnderWay(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start(b -> b.disableAutomaticRetries());
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch never = new CountDownLatch(1);
      server.handler(request -> {
        asked.countDown();
        never.await();
        return MockResponse.ok("late");
      });
      Future<String> call = callers.submit(() -> running.get(server.url("/")));
      asked.await();
      running.manager().close(CloseMode.IMMEDIATE);
      var failed = assertThrows(java.util.concurrent.ExecutionException.class, call::get);
      assertTrue(failed.getCause() instanceof IOException, failed::toString);
      assertThrows(IllegalStateException.class, () -> lease(running.manager(), route(server)));
      never.countDown();
    }
  }

  /** The next request uses clients made for the new limit; the old ones end with their calls. */
  @Test
  void aLimitThatIsChangedUnderLoadLosesNothing(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      server.answer("/", MockResponse.ok("ok"));
      server.answer(
          "/slow",
          MockResponse.ok("slow, but whole")
              .with(MockFault.slowBody(3, java.time.Duration.ofMillis(50))));
      running.client().execute(new HttpGet(server.url("/slow")), response -> {
        running.pool().setMaxTotal(50);
        assertEquals("200 ok", running.get(server.url("/")));
        assertEquals("slow, but whole", EntityUtils.toString(response.getEntity()));
        return null;
      });
      PoolStats stats = running.pool().getTotalStats();
      assertEquals(50, stats.getMax());
      assertEquals(0, stats.getLeased());
    }
  }
}
