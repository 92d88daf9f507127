package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.codec.http2.frame.ErrorCode;
import heddle.http.HttpException;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.internal.http2.StreamResetException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Failures are thrown as callers of OkHttp expect them. */
@Timeout(60)
@ExtendWith(MockServerExtension.class)
class FailuresTest {
  private static OkHttpClient.Builder client() {
    return new OkHttpClient.Builder();
  }

  private static HttpUrl url(MockServer server) {
    return HttpUrl.get(server.url("/"));
  }

  /** Over Heddle its own exception is behind it. */
  private static void assertCause(Stack stack, IOException thrown) {
    if (stack != Stack.STOCK) {
      assertTrue(causes(thrown).anyMatch(HttpException.class::isInstance), thrown::toString);
    }
  }

  private static Stream<Throwable> causes(IOException thrown) {
    return Stream.iterate(thrown.getCause(), Objects::nonNull, Throwable::getCause);
  }

  /** Whose message has OkHttp's words, as callers compare it. */
  private static void assertAdvice(Stack stack, IOException thrown, String advice) {
    String message = thrown.getMessage();
    // Over OkHttp's own sockets, the socket's time may be up before that of OkHttp's watchdog.
    boolean ofSocket = stack == Stack.STOCK && "Read timed out".equals(message);
    assertTrue(ofSocket || "timeout".equals(message), message);
    if (stack != Stack.STOCK) {
      String cause = thrown.getCause().getMessage();
      assertTrue(cause.contains(advice), cause);
      assertFalse(cause.contains("Timeouts."), cause);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void headsOfAQuarterOfAMebibyteAreReadAndLargerOnesAreNot(Stack stack) throws Exception {
    for (int length : new int[] {250 * 1024, 300 * 1024}) {
      boolean isRead = length < 256 * 1024;
      String head = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nA: " + "a".repeat(length) + "\r\n\r\n";
      try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), connection -> {
            connection.expectHead();
            try {
              connection.send(head);
            } catch (IOException e) {
              if (isRead) {
                throw e; // A client that reads no more may close before all of it is sent.
              }
            }
            connection.drain();
          });
          Stack.Running running = stack.start()) {
        HttpUrl url = HttpUrl.get(peer.url("/"));
        if (isRead) {
          try (Response response = running.get(url)) {
            assertEquals("a".repeat(length), response.header("A"));
          }
        } else {
          IOException failure = assertThrows(IOException.class, () -> running.get(url));
          assertEquals("unexpected end of stream on " + url.redact(), failure.getMessage());
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyListens(Stack stack) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (Stack.Running running = stack.start()) {
      ConnectException refused = assertThrows(
          ConnectException.class, () -> running.get(HttpUrl.get("http://localhost:" + port)));
      assertTrue(
          String.valueOf(refused.getMessage()).startsWith("Failed to connect to localhost"),
          refused::toString);
      assertNotNull(refused.getCause());
    }
  }

  @ParameterizedTest
  @EnumSource
  void nobodyKnowsTheHost(Stack stack) throws Exception {
    try (Stack.Running running = stack.start()) {
      UnknownHostException unknown = assertThrows(
          UnknownHostException.class,
          () -> running.get(HttpUrl.get("http://no-such-host.invalid/")));
      assertCause(stack, unknown);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theServerClosesInsteadOfAnswering(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("never").with(MockFault.cutInHead(0)));
      IOException lost = assertThrows(IOException.class, () -> running.get(url(server)));
      assertTrue(
          String.valueOf(lost.getMessage()).startsWith("unexpected end of stream on http://"),
          lost::toString);
      assertNotNull(lost.getCause());
    }
  }

  @ParameterizedTest
  @EnumSource
  void theContentIsTruncated(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("all of it").with(MockFault.cutInBody(3)));
      try (Response response = running.get(url(server))) {
        ProtocolException lost =
            assertThrows(ProtocolException.class, () -> response.body().string());
        assertEquals("unexpected end of stream", lost.getMessage());
        assertCause(stack, lost);
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theServerIsSilent(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.over(client().readTimeout(Duration.ofMillis(200)))) {
      HttpUrl url = HttpUrl.get("http://localhost:" + silent.getLocalPort());
      SocketTimeoutException late =
          assertThrows(SocketTimeoutException.class, () -> running.get(url));
      assertCause(stack, late);
      assertAdvice(stack, late, "; raise OkHttpClient.readTimeout");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theServerSaysNoMore(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.over(client().readTimeout(Duration.ofMillis(200)))) {
      server.answer(
          "/", MockResponse.ok("all of it").with(MockFault.slowBody(3, Duration.ofHours(1))));
      try (Response response = running.get(url(server))) {
        SocketTimeoutException late =
            assertThrows(SocketTimeoutException.class, () -> response.body().string());
        assertCause(stack, late);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theServerSpeaksAnotherProtocol(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running = stack.start()) {
      server.answer("/", MockResponse.ok("never").with(MockFault.garbage()));
      assertThrows(ProtocolException.class, () -> running.get(url(server)));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theServerResetsTheStream(Stack stack, MockServer server) throws Exception {
    try (Stack.Running running =
        stack.over(client().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)))) {
      server.answer(
          "/", MockResponse.ok("never").with(MockFault.resetStream(0, ErrorCode.INTERNAL_ERROR)));
      StreamResetException reset = assertThrows(
          StreamResetException.class, () -> running.get(url(server)).body().string());
      assertEquals(okhttp3.internal.http2.ErrorCode.INTERNAL_ERROR, reset.errorCode);
      assertCause(stack, reset);
    }
  }

  /** OkHttp itself throws an InterruptedException here, which it does not declare. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "STOCK")
  void interruptingTheThreadEndsTheWait(Stack stack) throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = stack.start()) {
      HttpUrl url = HttpUrl.get("http://localhost:" + silent.getLocalPort());
      Thread.currentThread().interrupt();
      IOException given = assertThrows(IOException.class, () -> running.get(url));
      assertInstanceOf(InterruptedIOException.class, given);
      assertTrue(Thread.interrupted());
    }
  }
}
