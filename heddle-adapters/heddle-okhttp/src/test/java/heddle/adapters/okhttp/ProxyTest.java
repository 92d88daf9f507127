package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.ScriptedPeer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Credentials;
import okhttp3.Dns;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls through proxies that forward requests, and through SOCKS. */
@Timeout(60)
class ProxyTest {
  /** Only the proxy knows its address. */
  private static final HttpUrl FAR = HttpUrl.get("http://far.invalid/a?b");

  private static final String KEY = Credentials.basic("user", "secret");

  @AutoClose
  private final MockWebServer server = PromptServer.create();

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  private void enqueue(int status, String... header) {
    MockResponse.Builder response = new MockResponse.Builder().code(status).body("" + status);
    if (header.length == 2) {
      response.addHeader(header[0], header[1]);
    }
    server.enqueue(response.build());
  }

  private Proxy proxy() {
    return server.getProxyAddress();
  }

  private static Proxy dead() throws IOException {
    try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Proxy(
          Proxy.Type.HTTP,
          new InetSocketAddress(InetAddress.getLoopbackAddress(), gone.getLocalPort()));
    }
  }

  private static OkHttpClient.Builder through(Proxy proxy) {
    return new OkHttpClient.Builder().proxy(proxy);
  }

  private static OkHttpClient.Builder through(Chooser chooser) {
    return new OkHttpClient.Builder().proxySelector(chooser);
  }

  private static String read(Stack.Running running, HttpUrl url) throws IOException {
    try (Response response = running.get(url)) {
      return response.body().string();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyGetsRequestsInAbsoluteFormOnOneConnection(Stack stack) throws Exception {
    enqueue(200);
    enqueue(200);
    try (Stack.Running running = stack.over(through(proxy()))) {
      assertEquals("200", read(running, FAR));
      assertEquals("200", read(running, FAR));
    }
    RecordedRequest first = server.takeRequest();
    assertEquals("GET http://far.invalid/a?b HTTP/1.1", first.getRequestLine());
    assertEquals("far.invalid", first.getHeaders().get("Host"));
    assertEquals(1, server.takeRequest().getExchangeIndex());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aCallThatADnsMakesUsesItsOwnRoute(Stack stack) throws Exception {
    enqueue(200);
    InetAddress here = InetAddress.getLoopbackAddress();
    InetSocketAddress named = InetSocketAddress.createUnresolved("proxy.invalid", server.getPort());
    ProxySelector selector = new ProxySelector() {
      @Override
      public List<Proxy> select(URI uri) {
        return List.of(
            "far.invalid".equals(uri.getHost())
                ? new Proxy(Proxy.Type.HTTP, named)
                : Proxy.NO_PROXY);
      }

      @Override
      public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
    };
    AtomicReference<Stack.Running> calls = new AtomicReference<>();
    try (MockWebServer near = PromptServer.create()) {
      near.start();
      near.enqueue(new MockResponse.Builder().body("near").build());
      HttpUrl nearby = near.url("/");
      Dns dns = host -> {
        if (host.equals("proxy.invalid")) {
          assertEquals("near", assertDoesNotThrow(() -> read(calls.get(), nearby)));
        }
        return List.of(here);
      };
      try (Stack.Running running =
          stack.over(new OkHttpClient.Builder().proxySelector(selector).dns(dns))) {
        calls.set(running);
        assertEquals("200", read(running, FAR));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void noProxyIsNoneWhateverASelectorSays(Stack stack) throws Exception {
    enqueue(200);
    Chooser chooser = new Chooser(dead());
    try (Stack.Running running = stack.over(through(chooser).proxy(Proxy.NO_PROXY))) {
      assertEquals("200", read(running, server.url("/a")));
    }
    assertEquals("GET /a HTTP/1.1", server.takeRequest().getRequestLine());
    assertEquals(List.of(), chooser.asked);
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aSelectorIsCalledWithTheServerAndMayReturnNone(Stack stack) throws Exception {
    enqueue(200);
    Chooser chooser = new Chooser();
    try (Stack.Running running = stack.over(through(chooser))) {
      assertEquals("200", read(running, server.url("/a?b")));
    }
    assertEquals("GET /a?b HTTP/1.1", server.takeRequest().getRequestLine());
    assertEquals(List.of(server.url("/").uri()), chooser.asked);
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aSelectorIsNotifiedOfADeadProxyAndTheNextIsUsed(Stack stack) throws Exception {
    enqueue(200);
    Proxy dead = dead();
    Chooser chooser = new Chooser(dead, proxy());
    Diary diary = new Diary();
    try (Stack.Running running = stack.over(through(chooser).eventListener(diary))) {
      assertEquals("200", read(running, FAR));
    }
    assertEquals(List.of("http://far.invalid/ " + dead.address()), chooser.failed);
    assertEquals(List.of(URI.create("http://far.invalid/")), chooser.asked);
    assertEquals(
        List.of(
            "proxySelectStart",
            "proxySelectEnd " + List.of(dead, proxy()),
            "connectStart " + dead,
            "connectFailed ConnectException",
            "connectStart " + proxy(),
            "connectEnd http/1.1"),
        diary.entries.stream()
            .filter(each -> each.startsWith("proxySelect")
                || each.startsWith("connectS")
                || each.startsWith("connectF")
                || each.startsWith("connectE"))
            .toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void aDeadProxyIsTriedLastTheNextTime(Stack stack) throws Exception {
    enqueue(200);
    enqueue(200);
    Chooser chooser = new Chooser(dead(), proxy());
    try (Stack.Running running = stack.over(through(chooser))) {
      assertEquals("200", read(running, FAR));
      assertEquals("200", read(running, HttpUrl.get("http://farther.invalid/")));
    }
    assertEquals(1, chooser.failed.size());
    assertEquals(
        List.of(URI.create("http://far.invalid/"), URI.create("http://farther.invalid/")),
        chooser.asked);
  }

  /** A connection that has served is no sign that its proxy is of no use. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyThatHasServedIsTriedFirstAgain(Stack stack) throws Exception {
    try (ScriptedPeer useful = ScriptedPeer.each(TcpNetwork.shared(), connection -> {
      connection.expectHead();
      connection.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nuseful");
      if (connection.hasMore()) {
        connection.expectHead();
        connection.send("nonsense\r\n\r\n");
        connection.drain();
      }
    })) {
      HttpUrl at = HttpUrl.get(useful.url("/"));
      Proxy first = new Proxy(
          Proxy.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port()));
      try (Stack.Running running = stack.over(through(new Chooser(first, proxy())))) {
        assertEquals("useful", read(running, FAR));
        assertThrows(ProtocolException.class, () -> read(running, FAR));
        assertEquals("useful", read(running, FAR));
      }
    }
  }

  /** The call has failed, as something was sent; the next one finds another way. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyWhoseConnectionWasOfNoUseIsTriedLastTheNextTime(Stack stack) throws Exception {
    enqueue(200);
    try (ScriptedPeer useless = ScriptedPeer.each(TcpNetwork.shared(), connection -> {
      connection.expectHead();
      connection.send("nonsense\r\n\r\n");
      connection.drain();
    })) {
      HttpUrl at = HttpUrl.get(useless.url("/"));
      Proxy first = new Proxy(
          Proxy.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), at.port()));
      Chooser chooser = new Chooser(first, proxy());
      try (Stack.Running running = stack.over(through(chooser))) {
        assertThrows(ProtocolException.class, () -> read(running, FAR));
        assertEquals(List.of("http://far.invalid/ " + first.address()), chooser.failed);
        assertEquals("200", read(running, FAR));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theFirstFailureIsThrownIfAllProxiesAreDead(Stack stack) throws Exception {
    Proxy one = dead();
    Proxy other = dead();
    Chooser chooser = new Chooser(one, other);
    try (Stack.Running running = stack.over(through(chooser))) {
      IOException failure = assertThrows(IOException.class, () -> read(running, FAR));
      assertEquals(1, failure.getSuppressed().length, failure::toString);
    }
    assertEquals(
        List.of("http://far.invalid/ " + one.address(), "http://far.invalid/ " + other.address()),
        chooser.failed);
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aSelectorIsNotNotifiedOfAProxyThatItDidNotReturn(Stack stack) throws Exception {
    Chooser chooser = new Chooser();
    Proxy dead = dead();
    // The builder itself would forget the selector.
    OkHttpClient.Builder client =
        through(chooser).addInterceptor(chain -> chain.withProxy(dead).proceed(chain.request()));
    try (Stack.Running running = stack.over(client)) {
      assertThrows(IOException.class, () -> read(running, FAR));
    }
    assertEquals(List.of(), chooser.failed);
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyThatAsksIsAnsweredByTheProxyAuthenticator(Stack stack) throws Exception {
    enqueue(407, "Proxy-Authenticate", "Basic realm=\"r\"");
    enqueue(200);
    List<Proxy> askedBy = new CopyOnWriteArrayList<>();
    OkHttpClient.Builder client = through(proxy()).proxyAuthenticator((route, response) -> {
      askedBy.add(route.proxy());
      return response.request().newBuilder().header("Proxy-Authorization", KEY).build();
    });
    try (Stack.Running running = stack.over(client)) {
      assertEquals("200", read(running, FAR));
    }
    assertEquals(List.of(proxy()), askedBy);
    assertNull(server.takeRequest().getHeaders().get("Proxy-Authorization"));
    assertEquals(KEY, server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theChallengeIsTheResponseIfThereAreNoCredentials(Stack stack) throws Exception {
    enqueue(407, "Proxy-Authenticate", "Basic realm=\"r\"");
    try (Stack.Running running = stack.over(through(proxy()));
        Response response = running.get(FAR)) {
      assertEquals(407, response.code());
      assertEquals("407", response.body().string());
    }
    assertEquals(1, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyThatRefusesAllCredentialsFailsTheCallAfterTwentyFollowUps(Stack stack)
      throws Exception {
    for (int i = 0; i < 30; i++) {
      enqueue(407, "Proxy-Authenticate", "Basic realm=\"r\"");
    }
    OkHttpClient.Builder client =
        through(proxy()).proxyAuthenticator((route, response) -> response.request());
    try (Stack.Running running = stack.over(client)) {
      ProtocolException failure = assertThrows(ProtocolException.class, () -> read(running, FAR));
      assertEquals("Too many follow-up requests: 21", failure.getMessage());
    }
    assertEquals(21, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void proxyCredentialsAreNotSentToAServerWithoutProxy(Stack stack) throws Exception {
    enqueue(407, "Proxy-Authenticate", "Basic realm=\"r\"");
    try (MockWebServer near = PromptServer.create()) {
      near.start();
      near.enqueue(new MockResponse.Builder().body("near").build());
      enqueue(302, "Location", near.url("/").toString());
      OkHttpClient.Builder client = new OkHttpClient.Builder()
          .proxySelector(new Only(FAR.host(), proxy()))
          .proxyAuthenticator((route, response) ->
              response.request().newBuilder().header("Proxy-Authorization", KEY).build());
      try (Stack.Running running = stack.over(client)) {
        assertEquals("near", read(running, FAR));
      }
      assertNull(near.takeRequest().getHeaders().get("Proxy-Authorization"));
    }
  }

  /** A proxy for one host. */
  private static final class Only extends java.net.ProxySelector {
    private final String host;
    private final Proxy proxy;

    Only(String host, Proxy proxy) {
      this.host = host;
      this.proxy = proxy;
    }

    @Override
    public List<Proxy> select(URI uri) {
      return List.of(uri.getHost().equals(host) ? proxy : Proxy.NO_PROXY);
    }

    @Override
    public void connectFailed(URI uri, java.net.SocketAddress address, IOException failure) {
      throw new AssertionError(failure);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY"})
  void anInterceptorMayChooseTheProxyOfACall(Stack stack) throws Exception {
    enqueue(200);
    OkHttpClient.Builder client = new OkHttpClient.Builder()
        .addInterceptor(chain -> chain.withProxy(proxy()).proceed(chain.request()));
    try (Stack.Running running = stack.over(client)) {
      assertEquals("200", read(running, FAR));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void timeoutsOfACallHoldForBothKindsOfWays(Stack stack) throws Exception {
    enqueue(200);
    enqueue(200);
    OkHttpClient.Builder client = new OkHttpClient.Builder()
        .proxySelector(new Only(FAR.host(), proxy()))
        .addInterceptor(
            chain -> chain.withConnectTimeout(7, TimeUnit.SECONDS).proceed(chain.request()));
    try (Stack.Running running = stack.over(client)) {
      assertEquals("200", read(running, server.url("/near")));
      assertEquals("200", read(running, FAR));
    }
    assertEquals("GET /near HTTP/1.1", server.takeRequest().getRequestLine());
    assertEquals("GET http://far.invalid/a?b HTTP/1.1", server.takeRequest().getRequestLine());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theConnectionTellsItsProxy(Stack stack) throws Exception {
    enqueue(200);
    List<Object> told = new CopyOnWriteArrayList<>();
    OkHttpClient.Builder client = through(proxy()).addNetworkInterceptor(chain -> {
      Response response = chain.proceed(chain.request());
      told.add(chain.connection().route().proxy());
      told.add(chain.connection().route().socketAddress());
      return response;
    });
    try (Stack.Running running = stack.over(client)) {
      assertEquals("200", read(running, FAR));
    }
    InetSocketAddress address = (InetSocketAddress) proxy().address();
    assertEquals(
        List.of(proxy(), new InetSocketAddress(address.getAddress(), address.getPort())), told);
  }
}
