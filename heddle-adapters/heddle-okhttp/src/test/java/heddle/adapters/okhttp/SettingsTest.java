package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.support.SocketFailures;
import heddle.client.HttpClient;
import heddle.http.FailurePoint;
import heddle.http.failure.ConnectFailedException;
import heddle.http.syntax.Host;
import heddle.testkit.ScriptedPeer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.UnknownServiceException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.CertificatePinner;
import okhttp3.ConnectionPool;
import okhttp3.ConnectionSpec;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings for connections are honoured, or refused when the client is built. */
@Timeout(60)
class SettingsTest {
  @AutoClose
  private final MockWebServer server = PromptServer.create();

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private static OkHttpClient.Builder client() {
    return new OkHttpClient.Builder();
  }

  /** Makes unconnected sockets in one way. */
  static final class OwnSockets extends SocketFactory {
    /** Makes a socket. */
    @FunctionalInterface
    interface Making {
      Socket make() throws IOException;
    }

    /** Sets up a socket. */
    @FunctionalInterface
    interface SettingUp {
      void set(Socket socket) throws IOException;
    }

    private final Making making;

    OwnSockets(Making making) {
      this.making = making;
    }

    static OwnSockets with(SettingUp options) {
      return new OwnSockets(() -> {
        Socket made = new Socket();
        options.set(made);
        return made;
      });
    }

    @Override
    public Socket createSocket() throws IOException {
      return making.make();
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of(
            "socketFactory", client().socketFactory(new OwnSockets(() -> new Socket() {}))),
        Arguments.of(
            "socketFactory",
            client().socketFactory(OwnSockets.with(made -> made.setSoLinger(true, 3)))),
        Arguments.of("socketFactory", client().socketFactory(new OwnSockets(() -> {
          throw new SocketException("only connected ones");
        }))),
        Arguments.of("fastFallback", client().fastFallback(false)),
        Arguments.of("pingInterval", client().pingInterval(1, TimeUnit.SECONDS)));
  }

  @ParameterizedTest
  @MethodSource("refused")
  void optionsThatCannotBeHonouredAreRefusedByName(String option, OkHttpClient.Builder builder) {
    OkHttpClient client = builder.build();
    assertNames(option, () -> HeddleCallFactory.of(client));
    assertNames(option, () -> HeddleInterceptor.of(client));
  }

  private static void assertNames(String option, Executable made) {
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, made);
    String message = String.valueOf(refusal.getMessage());
    assertTrue(message.startsWith("OkHttpClient." + option + " is "), message);
    assertTrue(message.contains("which cannot be honoured: "), message);
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void socketsAreSetUpAsThoseOfTheFactory(Stack stack) throws Exception {
    OwnSockets own = OwnSockets.with(made -> {
      made.setSendBufferSize(64 * 1024);
      made.setReceiveBufferSize(64 * 1024);
      made.setKeepAlive(true);
      made.setTcpNoDelay(true);
      made.bind(new InetSocketAddress("127.0.0.2", 0));
    });
    CompletableFuture<InetAddress> from = new CompletableFuture<>();
    try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread served = Thread.ofVirtual().start(() -> {
        try (Socket accepted = listening.accept()) {
          assertTrue(accepted.getInputStream().read() >= 0);
          from.complete(accepted.getInetAddress());
          accepted
              .getOutputStream()
              .write("HTTP/1.1 204 No Content\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
          from.completeExceptionally(e);
        }
      });
      HttpUrl url = HttpUrl.get("http://127.0.0.1:" + listening.getLocalPort() + "/");
      try (Stack.Running running = stack.over(client().socketFactory(own))) {
        running.get(url).close();
        assertEquals(Host.address("127.0.0.2"), from.get());
      }
      served.join();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void idleConnectionsAreKeptAsLongAsThePoolSays(Stack stack) throws Exception {
    ConnectionPool brief = new ConnectionPool(5, 50, TimeUnit.MILLISECONDS);
    CountDownLatch closed = new CountDownLatch(1);
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
      assertFalse(connection.hasMore());
      closed.countDown();
    };
    ScriptedPeer.visit(script, peer -> {
      try (Stack.Running running = stack.over(client().connectionPool(brief))) {
        running.get(HttpUrl.get(peer.url("/"))).close();
        closed.await();
      }
    });
  }

  static Stream<Arguments> decidedElsewhere() {
    Proxy proxy = new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved("proxy", 3128));
    return Stream.of(
        Arguments.of("proxy", client().proxy(proxy)),
        Arguments.of("socketFactory", client().socketFactory(OwnSockets.with(made -> {}))),
        Arguments.of("proxySelector", client().proxySelector(ProxySelector.of(null))),
        Arguments.of(
            "proxyAuthenticator",
            client().proxyAuthenticator((route, response) -> response.request())),
        Arguments.of("hostnameVerifier", client().hostnameVerifier((host, session) -> true)),
        Arguments.of("dns", client().dns(host -> List.of())),
        Arguments.of("retryOnConnectionFailure", client().retryOnConnectionFailure(false)),
        Arguments.of(
            "certificatePinner",
            client()
                .certificatePinner(new CertificatePinner.Builder()
                    .add("a.test", "sha256/AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
                    .build())),
        Arguments.of("protocols", client().protocols(List.of(Protocol.HTTP_1_1))),
        Arguments.of(
            "connectionSpecs", client().connectionSpecs(List.of(ConnectionSpec.CLEARTEXT))),
        Arguments.of("connectTimeout", client().connectTimeout(Duration.ofSeconds(3))),
        Arguments.of("readTimeout", client().readTimeout(Duration.ofSeconds(3))),
        Arguments.of("writeTimeout", client().writeTimeout(Duration.ofSeconds(3))));
  }

  @ParameterizedTest
  @MethodSource("decidedElsewhere")
  void whatAGivenClientDecidesIsRefusedWithIt(String option, OkHttpClient.Builder builder) {
    try (HttpClient heddle = HttpClient.builder().plain().build()) {
      OkHttpClient client = builder.build();
      assertNames(option, () -> HeddleCallFactory.of(client, heddle));
    }
  }

  @Test
  void aGivenClientThatFollowsRedirectsItselfIsRefused() {
    try (HttpClient follows = HttpClient.create()) {
      OkHttpClient usual = client().build();
      IllegalArgumentException refusal =
          assertThrows(IllegalArgumentException.class, () -> HeddleCallFactory.of(usual, follows));
      assertTrue(String.valueOf(refusal.getMessage()).endsWith(".plain()"));
    }
  }

  @Test
  void aSystemProxyIsRefusedWithAGivenClient() {
    System.setProperty("http.proxyHost", "proxy.test");
    try (HttpClient heddle = HttpClient.builder().plain().build()) {
      OkHttpClient systems = client().build();
      assertNames("proxySelector", () -> HeddleCallFactory.of(systems, heddle));
      HeddleCallFactory.of(client().proxy(Proxy.NO_PROXY).build(), heddle).close();
    } finally {
      System.clearProperty("http.proxyHost");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void namesAreLookedUpByTheClientsDns(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().body("found").build());
    AtomicInteger lookUps = new AtomicInteger();
    Dns dns = host -> {
      lookUps.incrementAndGet();
      if (!host.equals("a.test")) {
        throw new UnknownHostException("unknown host " + host);
      }
      return List.of(InetAddress.getLoopbackAddress());
    };
    try (Stack.Running running = stack.over(client().dns(dns))) {
      try (Response response =
          running.get(server.url("/").newBuilder().host("a.test").build())) {
        assertEquals("found", response.body().string());
      }
      UnknownHostException unknown = assertThrows(
          UnknownHostException.class,
          () -> running.get(server.url("/").newBuilder().host("b.test").build()));
      assertEquals("unknown host b.test", unknown.getMessage());
    }
    assertEquals(2, lookUps.get());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void http2IsSpokenByPriorKnowledge(Stack stack) throws Exception {
    server.close();
    try (MockWebServer http2 = PromptServer.create()) {
      http2.setProtocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE));
      http2.start();
      http2.enqueue(new MockResponse.Builder().body("two").build());
      try (Stack.Running running =
              stack.over(client().protocols(List.of(Protocol.H2_PRIOR_KNOWLEDGE)));
          Response response = running.get(http2.url("/"))) {
        assertEquals(Protocol.H2_PRIOR_KNOWLEDGE, response.protocol());
        assertEquals("", response.message());
        assertEquals("two", response.body().string());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void schemesThatTheSpecificationsExcludeAreNotSpoken(Stack stack) throws Exception {
    try (Stack.Running secure =
            stack.over(client().connectionSpecs(List.of(ConnectionSpec.MODERN_TLS)));
        Stack.Running clear =
            stack.over(client().connectionSpecs(List.of(ConnectionSpec.CLEARTEXT)))) {
      assertThrows(UnknownServiceException.class, () -> secure.get(server.url("/")));
      if (stack == Stack.STOCK) {
        return; // It speaks cleartext to a server of https, and waits in vain.
      }
      assertThrows(
          UnknownServiceException.class,
          () -> clear.get(server.url("/").newBuilder().scheme("https").build()));
    }
  }

  @Test
  void timeoutsThatAnInterceptorSetsHoldForTheCall() throws Exception {
    server.enqueue(new MockResponse.Builder().body("patient").build());
    OkHttpClient.Builder builder = client()
        .addInterceptor(
            chain -> chain.withReadTimeout(30, TimeUnit.SECONDS).proceed(chain.request()));
    try (Stack.Running running = Stack.FACTORY.over(builder);
        Response response = running.get(server.url("/"))) {
      assertEquals("patient", response.body().string());
    }
    try (Stack.Running running = Stack.GIVEN.over(builder)) {
      IOException refusal = assertThrows(IOException.class, () -> running.get(server.url("/")));
      assertTrue(String.valueOf(refusal.getMessage()).contains("30000 ms"), refusal::toString);
    }
  }

  @Test
  void settingsThatCannotChangePerCallAreRefused() throws Exception {
    OkHttpClient.Builder builder =
        client().addInterceptor(chain -> chain.withDns(host -> List.of()).proceed(chain.request()));
    try (Stack.Running running = Stack.FACTORY.over(builder)) {
      IOException refusal = assertThrows(IOException.class, () -> running.get(server.url("/")));
      assertTrue(
          String.valueOf(refusal.getMessage()).contains("has another dns"), refusal::toString);
    }
  }

  static Stream<Arguments> otherSettings() {
    HandshakeCertificates none = new HandshakeCertificates.Builder().build();
    return Stream.of(
        Arguments.of("protocols", client().protocols(List.of(Protocol.HTTP_1_1))),
        Arguments.of(
            "sslSocketFactory",
            client().sslSocketFactory(none.sslSocketFactory(), none.trustManager())));
  }

  @ParameterizedTest
  @MethodSource("otherSettings")
  void aClientWithOtherSettingsThanItsInterceptorIsRefused(
      String option, OkHttpClient.Builder builder) {
    try (HeddleInterceptor heddle = HeddleInterceptor.of(client().build())) {
      OkHttpClient other = builder.addInterceptor(heddle).build();
      Request request = new Request.Builder().url(server.url("/")).build();
      IOException refusal =
          assertThrows(IOException.class, () -> other.newCall(request).execute());
      assertTrue(
          String.valueOf(refusal.getMessage()).contains("has another " + option + " than"),
          refusal::toString);
    }
  }

  /** As each of the two times that a handshake waits for its server, in OkHttp. */
  @Test
  void aHandshakeMayTakeTwiceTheReadTimeout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Stack.Running running = Stack.FACTORY.over(client().readTimeout(Duration.ofMillis(50)))) {
      HttpUrl url = HttpUrl.get("https://127.0.0.1:" + silent.getLocalPort() + "/");
      SocketTimeoutException late =
          assertThrows(SocketTimeoutException.class, () -> running.get(url));
      ConnectFailedException cause = SocketFailures.find(late, ConnectFailedException.class);
      assertNotNull(cause);
      FailurePoint at = cause.at();
      assertNotNull(at);
      assertTrue(at.elapsed().toMillis() >= 100, cause::toString);
    }
  }

  @Test
  void anInterceptorInTheWrongPlaceIsRefused() throws Exception {
    server.enqueue(new MockResponse.Builder().build());
    OkHttpClient client = new OkHttpClient();
    try (HeddleInterceptor heddle = HeddleInterceptor.of(client)) {
      Request request = new Request.Builder().url(server.url("/")).build();
      OkHttpClient notLast = client
          .newBuilder()
          .addInterceptor(heddle)
          .addInterceptor(chain -> chain.proceed(chain.request()))
          .build();
      IOException behind =
          assertThrows(IOException.class, () -> notLast.newCall(request).execute());
      assertTrue(
          String.valueOf(behind.getMessage()).contains("add HeddleInterceptor after"),
          behind::toString);
      OkHttpClient network = client.newBuilder().addNetworkInterceptor(heddle).build();
      IOException misplaced =
          assertThrows(IOException.class, () -> network.newCall(request).execute());
      assertTrue(
          String.valueOf(misplaced.getMessage()).contains("use addInterceptor"),
          misplaced::toString);
    }
  }

  @Test
  void closingLeavesAGivenClientOpen() throws Exception {
    server.enqueue(new MockResponse.Builder().body("open").build());
    try (HttpClient given = HttpClient.builder().plain().build()) {
      HeddleCallFactory.of(new OkHttpClient(), given).close();
      String url = server.url("/").toString();
      assertEquals("open", given.send(heddle.http.Request.get(url)).string());
    }
  }

  @Test
  void closingEndsTheCallsOfAFactory() {
    HeddleCallFactory calls = HeddleCallFactory.create();
    calls.close();
    Request request = new Request.Builder().url(server.url("/")).build();
    IOException closed =
        assertThrows(IOException.class, () -> calls.newCall(request).execute());
    assertTrue(String.valueOf(closed.getMessage()).contains("closed"), closed::toString);
  }
}
