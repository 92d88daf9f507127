package heddle.adapters.apache5;

import static org.apache.hc.core5.util.Timeout.DISABLED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.ConnectionShutdownException;
import org.apache.hc.client5.http.io.ConnectionEndpoint;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.io.entity.StringEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What executors and other users of leases see of endpoints and their connections. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class EndpointTest {
  private static HttpRoute route(int port) {
    return new HttpRoute(new HttpHost("http", "localhost", port));
  }

  private static ConnectionEndpoint connected(Stack.Running running, HttpRoute route)
      throws Exception {
    ConnectionEndpoint endpoint =
        running.manager().lease("id", route, DISABLED, null).get(DISABLED);
    running.manager().connect(endpoint, null, HttpClientContext.create());
    return endpoint;
  }

  private static ClassicHttpRequest request(String method, HttpRoute route) {
    ClassicHttpRequest request = new BasicClassicHttpRequest(method, route.getTargetHost(), "/");
    request.addHeader("Host", route.getTargetHost().toHostString());
    return request;
  }

  private static ClassicHttpResponse execute(
      ConnectionEndpoint endpoint,
      ClassicHttpRequest request,
      ConnectionEndpoint.RequestExecutor executor)
      throws IOException, HttpException {
    return endpoint.execute("id", request, executor, HttpClientContext.create());
  }

  private static void release(Stack.Running running, ConnectionEndpoint endpoint) {
    running.manager().release(endpoint, null, TimeValue.NEG_ONE_MILLISECOND);
    assertEquals(0, running.pool().getTotalStats().getLeased());
  }

  // ---- what an executor sees of its connection

  /** Reports informational responses. */
  private static final class ListeningExecutor extends HttpRequestExecutor {
    final List<String> told = new ArrayList<>();

    @Override
    public ClassicHttpResponse execute(
        ClassicHttpRequest request,
        HttpClientConnection connection,
        @Nullable HttpResponseInformationCallback callback,
        HttpContext context)
        throws IOException, HttpException {
      return super.execute(
          request,
          connection,
          (response, on, also) -> told.add(response.getCode() + " " + response.getHeaders().length),
          context);
    }
  }

  @ParameterizedTest
  @EnumSource
  void informationalResponsesAreReportedInOrder(Stack stack) throws Exception {
    ListeningExecutor executor = new ListeningExecutor();
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 102 Processing\r\n\r\n");
      connection.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\nLink: </b>\r\n\r\n");
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      connection.drain();
    };
    try (TcpNetwork network = TcpNetwork.create();
        ScriptedPeer peer = ScriptedPeer.inOrder(network, script);
        Stack.Running running = stack.start(b -> b.setRequestExecutor(executor))) {
      assertEquals("200 ok", running.get(peer.url("/")));
      assertEquals(List.of("102 0", "103 2"), executor.told);
    }
  }

  @Test
  void anAbandonedEntityIsNotSent(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      server.answer("/", MockResponse.ok("ok"));
      HttpRoute route = route(server.port());
      ConnectionEndpoint endpoint = connected(running, route);
      ClassicHttpRequest post = request("POST", route);
      post.setEntity(new StringEntity("not wanted"));
      execute(endpoint, post, (request, connection, context) -> {
            connection.sendRequestHeader(request);
            connection.sendRequestEntity(request);
            connection.terminateRequest(request);
            connection.flush();
            return connection.receiveResponseHeader();
          })
          .close();
      assertEquals(0, server.takeRequest().body().length);
      release(running, endpoint);
    }
  }

  @Test
  void aConnectionCarriesOneExchangeAtATime(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      server.answer("/", MockResponse.ok("ok"));
      HttpRoute route = route(server.port());
      ConnectionEndpoint endpoint = connected(running, route);
      execute(endpoint, request("GET", route), (request, connection, context) -> {
            assertTrue(connection.isConsistent());
            connection.sendRequestHeader(request);
            assertFalse(connection.isConsistent());
            HttpException early =
                assertThrows(HttpException.class, () -> connection.sendRequestHeader(request));
            assertTrue(String.valueOf(early.getMessage()).contains("one exchange"));
            ClassicHttpResponse response = connection.receiveResponseHeader();
            assertTrue(connection.isConsistent());
            return response;
          })
          .close();
      assertEquals(1, server.requests().size());
      release(running, endpoint);
    }
  }

  /** The next request needs the only place, which its connection takes. */
  @Test
  void unreadContentOfALaterExchangeIsDiscarded(MockServer server) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.maxTotal = 1;
    try (Stack.Running running = Stack.HEDDLE.start(setup)) {
      server.enqueue("/", MockResponse.ok("first"));
      server.enqueue(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      server.enqueue("/", MockResponse.ok("third"));
      HttpRoute route = route(server.port());
      ConnectionEndpoint endpoint = connected(running, route);
      execute(endpoint, request("GET", route), (request, connection, context) -> {
            connection.sendRequestHeader(request);
            ClassicHttpResponse first = connection.receiveResponseHeader();
            connection.receiveResponseEntity(first);
            EntityUtils.consume(first.getEntity());
            connection.sendRequestHeader(request);
            return connection.receiveResponseHeader();
          })
          .close();
      ClassicHttpResponse third =
          execute(endpoint, request("GET", route), new HttpRequestExecutor()::execute);
      assertEquals("third", EntityUtils.toString(third.getEntity()));
      release(running, endpoint);
    }
  }

  // ---- the end of an endpoint

  @ParameterizedTest
  @EnumSource
  void anEndpointThatWasReleasedIsNotConnectedAgain(Stack stack, MockServer server)
      throws Exception {
    try (Stack.Running running = stack.start()) {
      ConnectionEndpoint endpoint = connected(running, route(server.port()));
      release(running, endpoint);
      assertThrows(
          ConnectionShutdownException.class,
          () -> running.manager().connect(endpoint, null, HttpClientContext.create()));
    }
  }

  /** The request is the last that is asked before its connection is there to be closed too. */
  @Test
  void anEndpointClosedWhileItBeginsSendsNothing(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      HttpRoute route = route(server.port());
      ConnectionEndpoint endpoint = connected(running, route);
      ClassicHttpRequest closing = new BasicClassicHttpRequest("GET", route.getTargetHost(), "/") {
        private static final long serialVersionUID = 1L;

        @Override
        public boolean containsHeader(String name) {
          endpoint.close(CloseMode.IMMEDIATE);
          return super.containsHeader(name);
        }
      };
      assertThrows(
          SocketException.class,
          () -> execute(endpoint, closing, new HttpRequestExecutor()::execute));
      assertEquals(0, server.requests().size());
      release(running, endpoint);
    }
  }

  @Test
  void closingAnEndpointIsReportedRatherThanWhatItsEntityThrows(MockServer server)
      throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      HttpRoute route = route(server.port());
      ConnectionEndpoint endpoint = connected(running, route);
      ClassicHttpRequest post = request("POST", route);
      post.setEntity(new EntityTemplate(10, null, null, sink -> {
        endpoint.close(CloseMode.IMMEDIATE);
        throw new IOException("it is no longer needed");
      }));
      SocketException closed = assertThrows(
          SocketException.class, () -> execute(endpoint, post, new HttpRequestExecutor()::execute));
      assertNotNull(closed.getCause());
      release(running, endpoint);
    }
  }

  private static WeakReference<ConnectionEndpoint> released(Stack.Running running, HttpRoute route)
      throws Exception {
    ConnectionEndpoint endpoint = connected(running, route);
    release(running, endpoint);
    return new WeakReference<>(endpoint);
  }

  @Test
  void anEndpointThatWasReleasedIsForgotten(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      WeakReference<ConnectionEndpoint> endpoint = released(running, route(server.port()));
      while (endpoint.get() != null) {
        System.gc();
      }
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @Test
  void anOpenLeaseTakenAfterTheManagerWasClosedIsClosed(MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      HttpRoute route = route(server.port());
      release(running, connected(running, route));
      assertEquals(1, running.pool().getTotalStats().getAvailable());
      var granted = running.manager().lease("id", route, DISABLED, null);
      running.manager().close(CloseMode.GRACEFUL);
      ConnectionEndpoint endpoint = granted.get(DISABLED);
      assertFalse(endpoint.isConnected());
      release(running, endpoint);
      assertEquals(0, running.pool().getTotalStats().getAvailable());
    }
  }
}
