package heddle.adapters.apache5;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.HttpException;
import heddle.http.failure.ConnectFailedException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.DeadlinePassedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.HttpHostConnectException;
import org.apache.hc.client5.http.UnsupportedSchemeException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures are thrown as callers of Apache's client, and its retry strategies, expect them. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class FailuresTest {
  private static Stack.Running start(Stack stack) {
    return stack.start(b -> b.disableAutomaticRetries());
  }

  /** Over Heddle its own exception is behind it. */
  private static void assertCause(Stack stack, IOException thrown) {
    if (stack == Stack.HEDDLE) {
      assertInstanceOf(HttpException.class, thrown.getCause());
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyListens(Stack stack) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (Stack.Running running = start(stack)) {
      HttpHostConnectException refused = assertThrows(
          HttpHostConnectException.class, () -> running.get("http://localhost:" + port + "/"));
      assertEquals("localhost", refused.getHost().getHostName());
      assertEquals(port, refused.getHost().getPort());
      assertCause(stack, refused);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyKnowsTheHost(Stack stack) throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.names = new NoNames();
    try (Stack.Running running = stack.start(setup, b -> b.disableAutomaticRetries())) {
      UnknownHostException unknown =
          assertThrows(UnknownHostException.class, () -> running.get("http://nowhere.test/"));
      assertCause(stack, unknown);
    }
  }

  @Test
  void aHandshakeThatTakesTooLongIsAConnectionThatDoes() throws Exception {
    Stack.Setup setup = new Stack.Setup();
    setup.connections =
        ConnectionConfig.custom().setConnectTimeout(200, TimeUnit.MILLISECONDS).build();
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = Stack.HEDDLE.start(setup, b -> b.disableAutomaticRetries())) {
      String url = "https://localhost:" + silent.getLocalPort() + "/";
      ConnectTimeoutException late =
          assertThrows(ConnectTimeoutException.class, () -> running.get(url));
      String message = String.valueOf(late.getMessage());
      assertTrue(message.contains("failed: Read timed out, 200 MILLISECONDS: "), message);
      assertTrue(message.endsWith("; raise TlsConfig.setHandshakeTimeout"), message);
      assertCause(Stack.HEDDLE, late);
    }
  }

  /** Some look for the words of the one client, or for those of the other. */
  @Test
  void aConnectionThatIsNotThereInTimeSaysHowLongThatWas() {
    ConnectionConfig config =
        ConnectionConfig.custom().setConnectTimeout(10, TimeUnit.MILLISECONDS).build();
    IOException late = Failures.translate(
        new ConnectFailedException("silent", null, new DeadlinePassedException("late")),
        new HttpHost("http", "a.test", 80),
        Settings.of(config, SocketConfig.DEFAULT, TlsConfig.DEFAULT, false));
    assertInstanceOf(ConnectTimeoutException.class, late);
    assertEquals(
        "Connect to http://a.test:80 failed: Connect timed out, 10 MILLISECONDS: silent;"
            + " raise ConnectionConfig.setConnectTimeout",
        late.getMessage());
  }

  @ParameterizedTest
  @EnumSource
  void theServerClosesInsteadOfAnswering(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = start(stack)) {
      server.answer("/", MockResponse.ok("never").with(MockFault.cutInHead(0)));
      NoHttpResponseException lost =
          assertThrows(NoHttpResponseException.class, () -> running.get(server.url("/")));
      assertTrue(String.valueOf(lost.getMessage()).contains("failed to respond"), lost::toString);
      assertCause(stack, lost);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theConnectionIsResetInsteadOfAnAnswer(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = start(stack)) {
      server.answer("/", MockResponse.ok("never").with(MockFault.resetInHead(0)));
      SocketException lost =
          assertThrows(SocketException.class, () -> running.get(server.url("/")));
      assertCause(stack, lost);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theContentIsTruncated(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = start(stack)) {
      server.answer("/", MockResponse.ok("all of it").with(MockFault.cutInBody(3)));
      server.answer("/chunks", MockResponse.ok("all of it").chunked().with(MockFault.cutInBody(3)));
      ConnectionClosedException lost =
          assertThrows(ConnectionClosedException.class, () -> running.get(server.url("/")));
      assertCause(stack, lost);
      assertThrows(IOException.class, () -> running.get(server.url("/chunks")));
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theConnectionIsResetInTheContent(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = start(stack)) {
      server.answer("/", MockResponse.ok("all of it").with(MockFault.resetInBody(3)));
      SocketException lost =
          assertThrows(SocketException.class, () -> running.get(server.url("/")));
      assertCause(stack, lost);
    }
  }

  /** Whatever was there: more of it would have been wanted. */
  @ParameterizedTest
  @ValueSource(ints = {1, 12, 40})
  void aTruncatedHeadIsNotAMissingResponse(int bytes, MockServer server) throws Exception {
    try (Stack.Running running = Stack.HEDDLE.start()) {
      server.answer(
          "/",
          MockResponse.ok("never").header("X-A", "x".repeat(50)).with(MockFault.cutInHead(bytes)));
      ConnectionClosedException lost =
          assertThrows(ConnectionClosedException.class, () -> running.get(server.url("/")));
      assertCause(Stack.HEDDLE, lost);
      assertEquals(1, server.requests().size());
    }
  }

  @Test
  void aHeadThatIsTooLongIsAConstraint(MockServer server) throws Exception {
    try (Stack.Running running = start(Stack.HEDDLE)) {
      server.answer("/", MockResponse.ok("never").header("X-A", "x".repeat(100_000)));
      MessageConstraintException large =
          assertThrows(MessageConstraintException.class, () -> running.get(server.url("/")));
      assertCause(Stack.HEDDLE, large);
    }
  }

  private static Stack.Setup impatient() {
    Stack.Setup setup = new Stack.Setup();
    setup.connections =
        ConnectionConfig.custom().setSocketTimeout(200, TimeUnit.MILLISECONDS).build();
    return setup;
  }

  @ParameterizedTest
  @EnumSource
  void theServerIsSilent(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start(impatient(), b -> b.disableAutomaticRetries())) {
      String url = "http://localhost:" + silent.getLocalPort() + "/";
      SocketTimeoutException late =
          assertThrows(SocketTimeoutException.class, () -> running.get(url));
      assertCause(stack, late);
      if (stack == Stack.HEDDLE) {
        assertTrue(
            String.valueOf(late.getMessage())
                .endsWith("; raise RequestConfig.setResponseTimeout or"
                    + " ConnectionConfig.setSocketTimeout"),
            late::toString);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRequestMayBeMoreImpatientThanItsConnection(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = start(stack)) {
      HttpGet get = new HttpGet("http://localhost:" + silent.getLocalPort() + "/");
      get.setConfig(
          RequestConfig.custom().setResponseTimeout(200, TimeUnit.MILLISECONDS).build());
      assertThrows(
          SocketTimeoutException.class, () -> running.client().execute(get, response -> null));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theServerSaysNoMore(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start(impatient(), b -> b.disableAutomaticRetries())) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      SocketTimeoutException late =
          assertThrows(SocketTimeoutException.class, () -> running.get(server.url("/")));
      assertCause(stack, late);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theServerSpeaksAnotherProtocol(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = start(stack)) {
      server.answer("/", MockResponse.ok("never").with(MockFault.garbage()));
      assertThrows(IOException.class, () -> running.get(server.url("/")));
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE") // Apache's own speaks HTTP whatever the scheme is
  void theSchemeIsNotKnown(Stack stack) throws Exception {
    try (Stack.Running running = start(stack)) {
      HttpHost host = new HttpHost("gopher", "localhost", 70);
      IOException refused = assertThrows(IOException.class, () -> running
          .client()
          .execute(host, new BasicClassicHttpRequest("GET", host, "/"), response -> null));
      boolean named = refused instanceof UnsupportedSchemeException
          || refused.getCause() instanceof UnsupportedSchemeException;
      assertTrue(named, refused::toString);
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void interruptingTheThreadEndsTheWait(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = start(stack)) {
      String url = "http://localhost:" + silent.getLocalPort() + "/";
      Thread.currentThread().interrupt();
      assertThrows(InterruptedIOException.class, () -> running.get(url));
      assertTrue(Thread.interrupted());
      assertEquals(0, running.pool().getTotalStats().getLeased());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aStrategyRepeatsWhatItKnows(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.enqueue("/", MockResponse.of(503).header("Retry-After", "0").body("later"));
      server.enqueue("/", MockResponse.ok("now"));
      running.client().execute(new HttpGet(server.url("/")), response -> {
        assertEquals("now", EntityUtils.toString(response.getEntity()));
        return null;
      });
    }
  }

  /** Knows no host. */
  private static final class NoNames implements DnsResolver {
    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
      throw new UnknownHostException(host + " is not known here");
    }

    @Override
    public String resolveCanonicalHostname(String host) throws UnknownHostException {
      throw new UnknownHostException(host + " is not known here");
    }
  }
}
