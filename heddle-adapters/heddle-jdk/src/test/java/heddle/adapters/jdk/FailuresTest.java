package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.http.FailurePoint;
import heddle.http.Method;
import heddle.http.Origin;
import heddle.http.Phase;
import heddle.http.Sent;
import heddle.http.failure.ConnectFailedException;
import heddle.http.failure.DeadlineExceededException;
import heddle.testkit.RawConnection;
import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.MockServerExtension;
import heddle.transport.DeadlinePassedException;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Exceptions of the kinds that callers of the JDK's client catch. Several tests at a time, because
 * many wait until a timeout passes.
 */
@Timeout(60)
@Execution(ExecutionMode.CONCURRENT)
@ExtendWith(MockServerExtension.class)
class FailuresTest {
  private static HttpRequest.Builder to(String url) {
    return HttpRequest.newBuilder(URI.create(url)).version(Version.HTTP_1_1);
  }

  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Blocking and asynchronous calls fail alike. */
  private static void assertFails(
      Class<? extends IOException> kind, HttpClient client, HttpRequest request) {
    IOException thrown = assertThrows(kind, () -> client.send(request, BodyHandlers.ofString()));
    assertSame(kind, thrown.getClass());
    ExecutionException later = assertThrows(
        ExecutionException.class,
        () -> client.sendAsync(request, BodyHandlers.ofString()).get());
    assertInstanceOf(kind, later.getCause());
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedConnectionIsAConnectException(Stack stack) throws Exception {
    try (HttpClient client = stack.client()) {
      assertFails(
          ConnectException.class,
          client,
          to("http://127.0.0.1:" + closedPort() + "/").build());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownHostIsAConnectException(Stack stack) {
    try (HttpClient client = stack.client()) {
      assertFails(ConnectException.class, client, to("http://host.invalid/").build());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUnknownHostIsRecognisedByItsCause(Stack stack) {
    try (HttpClient client = stack.client()) {
      HttpRequest request = to("http://host.invalid/").build();
      ExecutionException later = assertThrows(
          ExecutionException.class,
          () -> client.sendAsync(request, BodyHandlers.ofString()).get());
      assertInstanceOf(UnresolvedAddressException.class, later.getCause().getCause());
    }
  }

  /** Callers check the messages of the JDK's client, which precede Heddle's. */
  @ParameterizedTest
  @CsvSource({
    "'', header parser received no bytes",
    "HTTP/1.1 2, status line",
    "'HTTP/1.1 200 OK\r\nContent-', header",
    "'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n12', fixed content-length",
    "'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n12', chunked transfer encoding",
  })
  void whatIsCutSaysWhere(String said, String words) throws Exception {
    String all = said.replace("\\r", "\r").replace("\\n", "\n");
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), connection -> {
          connection.expectHead();
          connection.send(all);
        });
        HttpClient client = Stack.HEDDLE.client()) {
      HttpRequest request = to(peer.url("/")).build();
      IOException failed =
          assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofString()));
      assertTrue(failed.getMessage().contains(words), failed.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aSilentServerIsAnHttpTimeoutException(Stack stack, MockServer server) throws Exception {
    try (HttpClient client = stack.client()) {
      server.handler(request -> MockResponse.ok("late").with(MockFault.blackHole()));
      HttpRequest request = to(server.url("/")).timeout(Duration.ofSeconds(1)).build();
      assertFails(HttpTimeoutException.class, client, request);
    }
  }

  @Test
  void theTimeoutHoldsForContentThatTheCallWaitsForIfItIsSoSet(MockServer server) throws Exception {
    try (HttpClient client = HeddleHttpClient.newBuilder()
        .timeoutCoversContent(true)
        .proxy(HttpClient.Builder.NO_PROXY)
        .build()) {
      server.handler(
          request -> MockResponse.ok("late").with(MockFault.slowBody(1, Duration.ofHours(1))));
      HttpRequest request = to(server.url("/")).timeout(Duration.ofSeconds(1)).build();
      assertFails(HttpTimeoutException.class, client, request);
    }
  }

  /** As in the JDK up to 25. */
  @ParameterizedTest
  @EnumSource
  void theTimeoutEndsWithTheHead(Stack stack) throws Exception {
    HttpClient.Builder builder = stack.builder().proxy(HttpClient.Builder.NO_PROXY);
    if (builder instanceof HeddleHttpClient.Builder heddles) {
      heddles.timeoutCoversContent(false);
    } else {
      assumeTrue(Runtime.version().feature() <= 25, "newer JDKs time the content too");
    }
    CountDownLatch late = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      if (connection.expectHead().startsWith("GET /stream")) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        late.await();
        connection.send("hello");
      }
      connection.hasMore();
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = builder.build()) {
      Duration timeout = Duration.ofSeconds(1);
      CountDownLatch answered = new CountDownLatch(1);
      CompletableFuture<HttpResponse<String>> whole =
          client.sendAsync(to(peer.url("/stream")).timeout(timeout).build(), head -> {
            answered.countDown();
            return BodySubscribers.ofString(StandardCharsets.UTF_8);
          });
      answered.await();
      // One that begins later has the same time: when it is over, so is that of the first.
      assertFails(
          HttpTimeoutException.class,
          client,
          to(peer.url("/silent")).timeout(timeout).build());
      late.countDown();
      assertEquals("hello", whole.get().body());
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void theTimeoutDoesNotHoldForContentThatIsReadLater(Stack stack) throws Exception {
    CountDownLatch late = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      if (connection.expectHead().startsWith("GET /stream")) {
        connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        late.await();
        connection.send("hello");
      }
      connection.hasMore();
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack.client()) {
      Duration timeout = Duration.ofSeconds(1);
      HttpRequest request = to(peer.url("/stream")).timeout(timeout).build();
      try (InputStream body = client.send(request, BodyHandlers.ofInputStream()).body()) {
        // One that begins later has the same time: when it is over, so is that of the first.
        assertFails(
            HttpTimeoutException.class,
            client,
            to(peer.url("/silent")).timeout(timeout).build());
        late.countDown();
        assertEquals("hello", new String(body.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void aServerThatEndsTheConnectionIsAnIoException(Stack stack, MockServer server)
      throws Exception {
    try (HttpClient client = stack.client()) {
      server.handler(request -> MockResponse.ok("x").with(MockFault.cutInHead(5)));
      assertThrows(
          IOException.class,
          () -> client.send(to(server.url("/")).build(), BodyHandlers.ofString()));
    }
  }

  @Test
  void aMalformedResponseIsAProtocolException(MockServer server) throws Exception {
    try (HttpClient client = Stack.HEDDLE.client()) {
      server.handler(request -> MockResponse.ok("x").with(MockFault.garbage()));
      assertFails(ProtocolException.class, client, to(server.url("/")).build());
    }
  }

  @Test
  void aConnectionThatIsNotThereInTimeIsAnHttpConnectTimeoutException() {
    ConnectFailedException late = new ConnectFailedException(
        "cannot connect", null, new DeadlinePassedException("no connection in time"));
    assertInstanceOf(HttpConnectTimeoutException.class, Failures.of(late));
    Throwable cause = Failures.of(late).getCause();
    assertSame(ConnectException.class, cause.getClass());
    assertEquals("HTTP connect timed out", cause.getMessage());
    assertSame(late, cause.getCause());
    assertSame(
        ConnectException.class,
        Failures.of(new ConnectFailedException("refused", null, null)).getClass());
  }

  @Test
  void timeoutsNameTheSettingThatRaisesThem() throws Exception {
    Duration moment = Duration.ofMillis(200);
    try (ScriptedPeer silent = ScriptedPeer.each(TcpNetwork.shared(), RawConnection::readToEnd);
        HttpClient patient = Stack.HEDDLE.client();
        HttpClient hasty = Stack.HEDDLE
            .builder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .connectTimeout(moment)
            .build()) {
      HttpRequest plain = to(silent.url("/")).timeout(moment).build();
      assertEquals(
          "request timed out; raise HttpRequest.Builder.timeout, which is 200 ms",
          failure(patient, plain).getMessage());
      // Until the handshake has ended, there is no connection.
      HttpRequest secure = to("https://127.0.0.1:" + silent.port() + "/").build();
      HttpRequest brief = to(secure.uri().toString()).timeout(moment).build();
      assertEquals(
          "HTTP connect timed out; raise HttpRequest.Builder.timeout, which is 200 ms",
          failure(patient, brief).getMessage());
      assertFails(HttpConnectTimeoutException.class, patient, brief);
      assertEquals(
          "HTTP connect timed out; raise HttpClient.Builder.connectTimeout",
          failure(hasty, secure).getMessage());
      assertFails(HttpConnectTimeoutException.class, hasty, secure);
    }
  }

  private static IOException failure(HttpClient client, HttpRequest request) {
    return assertThrows(IOException.class, () -> client.send(request, BodyHandlers.ofString()));
  }

  /** Over Heddle alone: an asynchronous call of the JDK's own client may never end here. */
  @Test
  @SuppressWarnings("NullAway") // A handler that breaks its contract.
  void handlerThatReturnsNullFailsTheCall(MockServer server) throws Exception {
    try (HttpClient client = Stack.HEDDLE.client()) {
      server.handler(request -> MockResponse.ok("x"));
      HttpRequest request = to(server.url("/")).build();
      assertThrows(IOException.class, () -> client.send(request, head -> null));
      ExecutionException failure = assertThrows(
          ExecutionException.class,
          () -> client.sendAsync(request, head -> null).get());
      assertInstanceOf(NullPointerException.class, failure.getCause());
    }
  }

  /** Opens connections to it until the system's backlog is full. */
  private static List<Socket> fill(ServerSocket server) throws IOException {
    List<Socket> opened = new ArrayList<>();
    while (opened.size() < 100) {
      Socket socket = new Socket();
      opened.add(socket);
      try {
        socket.connect(server.getLocalSocketAddress(), 300);
      } catch (SocketTimeoutException e) {
        return opened;
      }
    }
    throw new AssertionError("the system takes any number of connections");
  }

  @ParameterizedTest
  @EnumSource(names = "HEDDLE")
  void connectionsMayTakeAsLongAsTheClientSays(Stack stack) throws Exception {
    HttpClient patient = stack.client();
    HttpClient hasty = stack
        .builder()
        .proxy(HttpClient.Builder.NO_PROXY)
        .connectTimeout(Duration.ofMillis(500))
        .build();
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> opened = fill(server);
      HttpRequest request =
          to("http://127.0.0.1:" + server.getLocalPort() + "/").build();
      CompletableFuture<?> longer = patient.sendAsync(request, BodyHandlers.discarding());
      assertFails(HttpConnectTimeoutException.class, hasty, request);
      assertFalse(longer.isDone());
      for (Socket each : opened) {
        each.close();
      }
    } finally {
      patient.shutdownNow();
      hasty.shutdownNow();
    }
  }

  @Test
  void aDeadlineThatPassesBeforeThereIsAConnectionIsAnHttpConnectTimeoutException() {
    for (Phase phase : Phase.values()) {
      FailurePoint at = new FailurePoint(
          Method.GET, Origin.http("a.test", 80), phase, Sent.NO, Duration.ofSeconds(1));
      assertSame(
          phase.compareTo(Phase.TLS) <= 0
              ? HttpConnectTimeoutException.class
              : HttpTimeoutException.class,
          Failures.of(new DeadlineExceededException("late", at, null)).getClass(),
          phase::toString);
    }
  }

  @Test
  void exceptionsAreNewAndOfTheSameKind() {
    for (Throwable each : new Throwable[] {
      new HttpConnectTimeoutException("a"),
      new HttpTimeoutException("b"),
      new ConnectException("c"),
      new SSLHandshakeException("d"),
      new SSLException("e"),
      new ProtocolException("f"),
      new IOException("g"),
    }) {
      IOException fresh = Failures.fresh(each);
      assertSame(each.getClass(), fresh.getClass());
      assertNotSame(each, fresh);
      assertSame(each, fresh.getCause());
      assertEquals(each.getMessage(), fresh.getMessage());
    }
    assertSame(IOException.class, Failures.fresh(new IllegalStateException("h")).getClass());
    IllegalArgumentException bad = new IllegalArgumentException("i");
    assertSame(
        bad,
        assertThrows(IllegalArgumentException.class, () -> Failures.fresh(bad)).getCause());
    SecurityException forbidden = new SecurityException("j");
    assertSame(
        forbidden,
        assertThrows(SecurityException.class, () -> Failures.fresh(forbidden)).getCause());
  }

  @ParameterizedTest
  @EnumSource
  void theStackOfWhatIsThrownIsTheCallers(Stack stack) throws Exception {
    try (HttpClient client = stack.client()) {
      HttpRequest request = to("http://127.0.0.1:" + closedPort() + "/").build();
      ConnectException thrown =
          assertThrows(ConnectException.class, () -> client.send(request, BodyHandlers.ofString()));
      assertNotNull(thrown.getCause());
      assertTrue(Arrays.stream(thrown.getStackTrace())
          .anyMatch(each -> each.getClassName().equals(getClass().getName())));
    }
  }

  /** Has a body as soon as it was told that the content failed; a stream has it even sooner. */
  private static final class Undaunted implements BodySubscriber<String> {
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    @Override
    public CompletionStage<String> getBody() {
      return CompletableFuture.completedStage("in spite of " + failure.join().getClass());
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {}

    @Override
    public void onError(Throwable thrown) {
      failure.complete(thrown);
    }

    @Override
    public void onComplete() {
      failure.complete(new AssertionError("the content was complete"));
    }
  }

  @Test
  void contentThatFailsWhileTheSubscriberIsAskedForItsBodyIsNoFailureOfTheCall(MockServer server)
      throws Exception {
    try (HttpClient client = Stack.HEDDLE.client()) {
      server.handler(
          request -> MockResponse.ok(new byte[100_000]).with(MockFault.cutInBody(50_000)));
      String body =
          client.send(to(server.url("/")).build(), head -> new Undaunted()).body();
      assertTrue(body.startsWith("in spite of ") && body.endsWith("Exception"), body);
    }
  }
}
