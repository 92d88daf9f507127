package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Authenticator;
import okhttp3.Credentials;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import okhttp3.OkHttp;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls through proxies that open tunnels. */
@Timeout(60)
class TunnelTest {
  private static final HttpUrl FAR = HttpUrl.get("https://far.invalid/a");
  private static final String KEY = Credentials.basic("user", "secret");
  private static final String CONNECT = "CONNECT far.invalid:443 HTTP/1.1";
  private static final HeldCertificate HELD = new HeldCertificate.Builder()
      .addSubjectAlternativeName(FAR.host())
      .addSubjectAlternativeName("other.far.invalid")
      .build();

  private final HandshakeCertificates certificates = new HandshakeCertificates.Builder()
      .heldCertificate(HELD)
      .addTrustedCertificate(HELD.certificate())
      .build();

  /** The proxy, and behind its tunnel the server too. */
  @AutoClose
  private final MockWebServer server = PromptServer.create();

  @BeforeEach
  void startServer() throws IOException {
    server.useHttps(certificates.sslSocketFactory());
    server.start();
  }

  private OkHttpClient.Builder client(Authenticator authenticator) {
    HandshakeCertificates trusted = new HandshakeCertificates.Builder()
        .addTrustedCertificate(HELD.certificate())
        .build();
    return new OkHttpClient.Builder()
        .proxy(server.getProxyAddress())
        .proxyAuthenticator(authenticator)
        .sslSocketFactory(trusted.sslSocketFactory(), trusted.trustManager());
  }

  private void answerConnect(int status, String... header) {
    // A tunnel is requested before TLS.
    MockResponse.Builder response = new MockResponse.Builder().code(status).inTunnel();
    if (status != 200) {
      response.setHeader("Content-Length", 0);
    }
    if (header.length == 2) {
      response.addHeader(header[0], header[1]);
    }
    server.enqueue(response.build());
  }

  private void challenge() {
    answerConnect(407, "Proxy-Authenticate", "Basic realm=\"a \\\"quoted\\\" realm\"");
  }

  private void answer(int status, String... header) {
    MockResponse.Builder response = new MockResponse.Builder().code(status).body("far");
    if (header.length == 2) {
      response.addHeader(header[0], header[1]);
    }
    server.enqueue(response.build());
  }

  private static String read(Stack.Running running) throws IOException {
    try (Response response = running.get(FAR)) {
      return response.body().string();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aTunnelLeadsToTheServer(Stack stack) throws Exception {
    answerConnect(200);
    answer(200);
    Diary diary = new Diary();
    try (Stack.Running running = stack.over(client(Authenticator.NONE).eventListener(diary))) {
      assertEquals("far", read(running));
    }
    RecordedRequest connect = server.takeRequest();
    assertEquals(CONNECT, connect.getRequestLine());
    assertEquals("far.invalid:443", connect.getHeaders().get("Host"));
    assertEquals("/a", server.takeRequest().getTarget());
    assertTrue(
        diary.entries.contains("connectStart " + server.getProxyAddress()),
        diary.entries::toString);
    assertTrue(diary.entries.contains("connectEnd h2"), diary.entries::toString);
  }

  /** Whether the proxy closes its connection after its challenge or not. */
  @ParameterizedTest
  @CsvSource({"STOCK, close", "FACTORY, close", "STOCK, keep-alive", "FACTORY, keep-alive"})
  void aConnectionHasNoProtocolBeforeItsTunnelIsOpen(Stack stack, String connection)
      throws Exception {
    server.enqueue(new MockResponse.Builder()
        .code(407)
        .inTunnel()
        .setHeader("Content-Length", 0)
        .addHeader("Proxy-Authenticate", "Basic realm=\"a\"")
        .addHeader("Connection", connection)
        .build());
    answerConnect(200);
    answer(200);
    Diary diary = new Diary();
    OkHttpClient.Builder client = client((route, response) -> response
                .header("Proxy-Authenticate")
                .startsWith("OkHttp")
            ? null
            : response.request().newBuilder().header("Proxy-Authorization", KEY).build())
        .eventListener(diary);
    try (Stack.Running running = stack.over(client)) {
      assertEquals("far", read(running));
    }
    List<String> opening = diary.entries.stream()
        .filter(each -> each.startsWith("connect") || each.startsWith("secure"))
        .map(each -> each.replaceFirst("(connectStart) .*", "$1"))
        .toList();
    List<String> last = List.of(
        "connectStart",
        "secureConnectStart",
        "secureConnectEnd TLS_1_3",
        "connectEnd h2",
        "connectionAcquired h2",
        "connectionReleased");
    List<String> expected = new ArrayList<>(last);
    if (connection.equals("close")) {
      expected.addAll(0, List.of("connectStart", "connectEnd null"));
    }
    assertEquals(expected, opening);
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theProxyAuthenticatorIsAskedBeforeTheFirstConnect(Stack stack) throws Exception {
    answerConnect(200);
    answer(200);
    List<String> asked = new CopyOnWriteArrayList<>();
    Authenticator authenticator = (route, response) -> {
      asked.add(response.code() + " " + response.header("Proxy-Authenticate") + " "
          + response.request().method() + " " + response.request().url() + " "
          + response.request().header("Host") + " " + route.proxy());
      return response.request().newBuilder().header("Proxy-Authorization", KEY).build();
    };
    try (Stack.Running running = stack.over(client(authenticator))) {
      assertEquals("far", read(running));
    }
    assertEquals(
        List.of("407 OkHttp-Preemptive CONNECT https://far.invalid/ far.invalid:443 "
            + server.getProxyAddress()),
        asked);
    assertEquals(KEY, server.takeRequest().getHeaders().get("Proxy-Authorization"));
    assertNull(server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theProxyAuthenticatorIsAskedAfterARefusal(Stack stack) throws Exception {
    challenge();
    answerConnect(200);
    answer(200);
    List<String> asked = new CopyOnWriteArrayList<>();
    Authenticator authenticator = (route, response) -> {
      asked.add(response.challenges().getFirst().scheme() + " "
          + response.challenges().getFirst().realm());
      return asked.size() == 1
          ? null
          : response.request().newBuilder().header("Proxy-Authorization", KEY).build();
    };
    try (Stack.Running running = stack.over(client(authenticator))) {
      assertEquals("far", read(running));
    }
    assertEquals(List.of("OkHttp-Preemptive null", "Basic a \"quoted\" realm"), asked);
    assertNull(server.takeRequest().getHeaders().get("Proxy-Authorization"));
    assertEquals(KEY, server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void refusedCredentialsArePassedToTheAuthenticator(Stack stack) throws Exception {
    challenge();
    Authenticator once =
        (route, response) -> response.request().header("Proxy-Authorization") == null
            ? response.request().newBuilder().header("Proxy-Authorization", KEY).build()
            : null;
    try (Stack.Running running = stack.over(client(once))) {
      IOException failure = assertThrows(IOException.class, () -> read(running));
      assertEquals("Failed to authenticate with proxy", failure.getMessage());
    }
    assertEquals(1, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aTunnelIsRequestedWithOkHttpsOwnFields(Stack stack) throws Exception {
    answerConnect(200);
    answer(200);
    List<String> asked = new CopyOnWriteArrayList<>();
    Authenticator curious = (route, response) -> {
      asked.add(fields(response.request().headers()));
      return null;
    };
    try (Stack.Running running = stack.over(client(curious))) {
      Request own = new Request.Builder()
          .url(FAR)
          .header("User-Agent", "mine")
          .header("Private", "not the proxy's")
          .build();
      running.client().newCall(own).execute().close();
    }
    String usual =
        "host: far.invalid:443, proxy-connection: Keep-Alive, user-agent: okhttp/" + OkHttp.VERSION;
    assertEquals(List.of(usual), asked);
    assertEquals(usual, fields(server.takeRequest().getHeaders()));
    RecordedRequest behind = server.takeRequest();
    assertEquals("mine", behind.getHeaders().get("User-Agent"));
    assertNull(behind.getHeaders().get("Proxy-Connection"));
  }

  /** In the order of their names, each in small letters. */
  private static String fields(Headers headers) {
    return String.join(
        ", ",
        new TreeSet<>(headers.toMultimap().entrySet().stream()
            .map(each -> each.getKey() + ": " + String.join(" ", each.getValue()))
            .toList()));
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void credentialsOfTheAuthenticatorNeedNoScheme(Stack stack) throws Exception {
    answerConnect(200);
    answer(200);
    Authenticator bare = (route, response) -> response
        .request()
        .newBuilder()
        .header("Proxy-Authorization", "password")
        .build();
    try (Stack.Running running = stack.over(client(bare))) {
      assertEquals("far", read(running));
    }
    assertEquals("password", server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void credentialsOfTheCallerAreSentToTheServerBehindTheTunnel(Stack stack) throws Exception {
    answerConnect(200);
    answer(200);
    try (Stack.Running running = stack.over(client(Authenticator.NONE))) {
      Request own =
          new Request.Builder().url(FAR).header("Proxy-Authorization", KEY).build();
      running.client().newCall(own).execute().close();
    }
    assertNull(server.takeRequest().getHeaders().get("Proxy-Authorization"));
    assertEquals(KEY, server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  /** OkHttp sends it there too; credentials are only sent to the server for which they were set. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void credentialsOfTheCallerAreNotSentToAnotherServer(Stack stack) throws Exception {
    answerConnect(200);
    answer(302, "Location", "https://other.far.invalid/");
    answerConnect(200);
    answer(200);
    try (Stack.Running running = stack.over(client(Authenticator.NONE))) {
      Request own =
          new Request.Builder().url(FAR).header("Proxy-Authorization", KEY).build();
      running.client().newCall(own).execute().close();
    }
    server.takeRequest();
    assertEquals(KEY, server.takeRequest().getHeaders().get("Proxy-Authorization"));
    assertEquals("CONNECT other.far.invalid:443 HTTP/1.1", server.takeRequest().getRequestLine());
    assertNull(server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  /** A proxy that names no scheme and closes; what it refused is shown again. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aTunnelIsRequestedAtMostTwentyOneTimes(Stack stack) throws Exception {
    for (int i = 0; i < 21; i++) {
      answerConnect(407, "Connection", "close");
    }
    Authenticator same = (route, response) ->
        response.request().newBuilder().header("Proxy-Authorization", KEY).build();
    try (Stack.Running running = stack.over(client(same))) {
      ProtocolException failure = assertThrows(ProtocolException.class, () -> read(running));
      assertEquals("Too many tunnel connections attempted: 21", failure.getMessage());
    }
    assertEquals(21, server.getRequestCount());
    assertEquals(KEY, server.takeRequest().getHeaders().get("Proxy-Authorization"));
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void aTunnelIsNotRequestedEndlessly(Stack stack) throws Exception {
    for (int i = 0; i < 30; i++) {
      challenge();
    }
    List<Integer> asked = new CopyOnWriteArrayList<>();
    Authenticator tireless = (route, response) -> {
      asked.add(response.code());
      String key = Credentials.basic("user", "guess" + asked.size());
      return response.request().newBuilder().header("Proxy-Authorization", key).build();
    };
    try (Stack.Running running = stack.over(client(tireless))) {
      ProtocolException failure = assertThrows(ProtocolException.class, () -> read(running));
      assertTrue(
          String.valueOf(failure.getMessage()).startsWith("Too many tunnel connections attempted"),
          failure::toString);
    }
    assertTrue(server.getRequestCount() <= 21, () -> server.getRequestCount() + " requests");
  }

  /** The proxy announces that it closes the connection, sends no length, and does not close it. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void refusalsThatEndTheirConnectionAreLimited(Stack stack) throws Exception {
    for (int i = 0; i < 21; i++) {
      server.enqueue(new MockResponse.Builder()
          .code(407)
          .headers(Headers.of(
              "Proxy-Authenticate",
              "Basic realm=\"r\"",
              "Connection",
              "close",
              "Content-Length",
              "0"))
          .inTunnel()
          .build());
    }
    AtomicInteger asked = new AtomicInteger();
    Authenticator tireless = (route, response) -> response
        .request()
        .newBuilder()
        .header("Proxy-Authorization", "key" + asked.incrementAndGet())
        .build();
    try (Stack.Running running = stack.over(client(tireless))) {
      ProtocolException failure = assertThrows(ProtocolException.class, () -> read(running));
      assertEquals("Too many tunnel connections attempted: 21", failure.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aProxyThatOpensNoTunnelFailsTheCall(Stack stack) throws Exception {
    answerConnect(403);
    try (Stack.Running running = stack.over(client(Authenticator.NONE))) {
      IOException failure = assertThrows(IOException.class, () -> read(running));
      assertEquals("Unexpected response code for CONNECT: 403", failure.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void exceptionsOfTheAuthenticatorAreRethrown(Stack stack) throws Exception {
    IOException own = new IOException("no keys at hand");
    Authenticator failing = (route, response) -> {
      throw own;
    };
    try (Stack.Running running = stack.over(client(failing))) {
      assertEquals(own, assertThrows(IOException.class, () -> read(running)));
    }
    assertEquals(0, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void aServerBehindATunnelIsNotShownWhatTheProxyWantsToSee(Stack stack) throws Exception {
    answerConnect(200);
    answer(407);
    Authenticator eager = (route, response) ->
        response.request().newBuilder().header("Proxy-Authorization", KEY).build();
    try (Stack.Running running = stack.over(client(eager))) {
      assertThrows(ProtocolException.class, () -> read(running));
    }
    assertEquals(2, server.getRequestCount());
  }
}
