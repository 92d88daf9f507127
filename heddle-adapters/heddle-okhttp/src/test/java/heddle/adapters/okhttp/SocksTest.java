package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Authenticator;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls through SOCKS proxies, to which OkHttp's own sockets are those of the JDK. */
@Timeout(60)
class SocksTest {
  private final MockWebServer server = PromptServer.create();
  private final Diary diary = new Diary();

  /** The requests to the JVM's authenticator. */
  private final List<String> questions = new CopyOnWriteArrayList<>();

  @BeforeEach
  void startServer() throws IOException {
    server.start();
  }

  @AfterEach
  void stopServer() {
    server.close();
    Authenticator.setDefault(null);
  }

  private void answerWith(String user, String password) {
    Authenticator.setDefault(new Authenticator() {
      @Override
      protected PasswordAuthentication getPasswordAuthentication() {
        questions.add(getRequestingProtocol() + " " + getRequestingHost() + ":"
            + getRequestingPort() + " " + getRequestingPrompt() + " " + getRequestorType());
        return new PasswordAuthentication(user, password.toCharArray());
      }
    });
  }

  private Stack.Running through(Stack stack, Proxy proxy) {
    return stack.over(new OkHttpClient.Builder().proxy(proxy).eventListener(diary));
  }

  /** A host that only the proxy knows. */
  private HttpUrl far() {
    return server.url("/a?b").newBuilder().host("far.invalid").build();
  }

  private void enqueue() {
    server.enqueue(new MockResponse.Builder().body("far").build());
  }

  private static String read(Stack.Running running, HttpUrl url) throws IOException {
    try (Response response = running.get(url)) {
      return response.body().string();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aSocksProxyLooksTheNameUp(Stack stack) throws Exception {
    enqueue();
    try (SocksServer socks = new SocksServer();
        Stack.Running running = through(stack, socks.proxy())) {
      assertEquals("far", read(running, far()));
      assertEquals(List.of("far.invalid:" + server.getPort()), socks.asked);
      assertTrue(diary.entries.contains("connectStart " + socks.proxy()), diary.entries::toString);
    }
    assertEquals("GET /a?b HTTP/1.1", server.takeRequest().getRequestLine());
    assertTrue(diary.entries.stream().noneMatch(each -> each.startsWith("dns")));
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void theListenerGetsTheSameEventsOfAProxyWithAName(Stack stack) throws Exception {
    List<List<String>> told = new ArrayList<>();
    try (SocksServer socks = new SocksServer()) {
      int port = ((InetSocketAddress) socks.proxy().address()).getPort();
      Proxy named =
          new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("localhost", port));
      for (Stack each : List.of(Stack.STOCK, stack)) {
        enqueue();
        diary.entries.clear();
        try (Stack.Running running = through(each, named)) {
          assertEquals("far", read(running, far()));
        }
        told.add(List.copyOf(diary.entries));
      }
    }
    assertEquals(told.getFirst(), told.getLast());
    assertTrue(told.getLast().stream().noneMatch(each -> each.startsWith("dns")));
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void theListenerGetsTheSameEventsOfAProxyWithAnUnknownName(Stack stack) throws Exception {
    Proxy unknown =
        new Proxy(Proxy.Type.SOCKS, InetSocketAddress.createUnresolved("proxy.invalid", 1080));
    try (Stack.Running running = through(stack, unknown)) {
      assertThrows(IOException.class, () -> read(running, far()));
    }
    assertTrue(diary.entries.stream().noneMatch(each -> each.startsWith("dns")));
    assertTrue(diary.entries.contains("proxySelectEnd [" + unknown + "]"));
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyIsShownWhatTheAuthenticatorOfTheJvmKnows(Stack stack) throws Exception {
    enqueue();
    enqueue();
    answerWith("weaver", "shuttle");
    try (SocksServer socks = new SocksServer("weaver:shuttle");
        Stack.Running running = through(stack, socks.proxy())) {
      assertEquals("far", read(running, far()));
      assertEquals("far", read(running, far()));
      assertEquals(List.of("weaver:shuttle"), socks.shown);
      int port = ((InetSocketAddress) socks.proxy().address()).getPort();
      assertEquals(List.of("SOCKS5 localhost:" + port + " SOCKS authentication SERVER"), questions);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyThatIsShownTheWrongPasswordFailsTheCallAndMayBeShownAnother(Stack stack)
      throws Exception {
    enqueue();
    answerWith("weaver", "needle");
    try (SocksServer socks = new SocksServer("weaver:shuttle");
        Stack.Running running = through(stack, socks.proxy())) {
      assertThrows(SocketException.class, () -> read(running, far()));
      answerWith("weaver", "shuttle");
      assertEquals("far", read(running, far()));
      assertEquals("weaver:needle", socks.shown.getFirst());
      assertEquals("weaver:shuttle", socks.shown.getLast());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyWithoutChallengeNeedsNoAnswerOfTheAuthenticator(Stack stack) throws Exception {
    enqueue();
    Authenticator.setDefault(new Authenticator() {});
    try (SocksServer socks = new SocksServer();
        Stack.Running running = through(stack, socks.proxy())) {
      assertEquals("far", read(running, far()));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void credentialsOfTheJvmsAuthenticatorAreNotSentToHttpProxies(Stack stack) throws Exception {
    enqueue();
    answerWith("weaver", "shuttle");
    Proxy http = new Proxy(
        Proxy.Type.HTTP, new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getPort()));
    try (Stack.Running running = through(stack, http)) {
      assertEquals("far", read(running, far()));
    }
    assertEquals(List.of(), questions);
    assertNull(server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void whatCannotBeShownFailsTheCall(Stack stack) throws Exception {
    answerWith("weaver", "");
    try (SocksServer socks = new SocksServer("weaver:shuttle");
        Stack.Running running = through(stack, socks.proxy())) {
      IOException failure = assertThrows(IOException.class, () -> read(running, far()));
      assertTrue(String.valueOf(failure.getMessage()).contains("password"), failure::toString);
    }
  }
}
