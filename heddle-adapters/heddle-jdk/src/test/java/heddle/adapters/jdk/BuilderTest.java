package heddle.adapters.jdk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import heddle.testkit.ScriptedPeer;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tcp.TcpNetwork;
import java.io.IOException;
import java.net.Authenticator;
import java.net.BindException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.charset.StandardCharsets;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The options of a client, and its getters for them. */
@Timeout(60)
class BuilderTest {
  @ParameterizedTest
  @EnumSource
  void theDefaultsAreTheJdks(Stack stack) throws Exception {
    try (HttpClient client = stack.builder().build()) {
      assertEquals(Redirect.NEVER, client.followRedirects());
      assertEquals(Version.HTTP_2, client.version());
      assertEquals(Optional.empty(), client.cookieHandler());
      assertEquals(Optional.empty(), client.connectTimeout());
      assertEquals(Optional.empty(), client.executor());
      assertEquals(Optional.empty(), client.proxy());
      assertEquals(Optional.empty(), client.authenticator());
      assertSame(SSLContext.getDefault(), client.sslContext());
      assertTrue(List.of(client.sslParameters().getProtocols()).contains("TLSv1.3"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void optionsAreReported(Stack stack) throws Exception {
    CookieManager cookies = new CookieManager();
    ProxySelector proxy = HttpClient.Builder.NO_PROXY;
    Authenticator authenticator = new Authenticator() {};
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, null, null);
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(new String[] {"TLSv1.2"});
    try (ExecutorService executor = Executors.newSingleThreadExecutor();
        HttpClient client = stack
            .builder()
            .cookieHandler(cookies)
            .proxy(proxy)
            .authenticator(authenticator)
            .sslContext(context)
            .sslParameters(parameters)
            .executor(executor)
            .followRedirects(Redirect.ALWAYS)
            .version(Version.HTTP_1_1)
            .priority(1)
            .connectTimeout(Duration.ofSeconds(3))
            .localAddress(null)
            .build()) {
      parameters.setProtocols(new String[] {"TLSv1.3"});
      assertSame(cookies, client.cookieHandler().orElseThrow());
      assertSame(proxy, client.proxy().orElseThrow());
      assertSame(authenticator, client.authenticator().orElseThrow());
      assertSame(context, client.sslContext());
      assertArrayEquals(new String[] {"TLSv1.2"}, client.sslParameters().getProtocols());
      assertNotSame(client.sslParameters(), client.sslParameters());
      assertSame(executor, client.executor().orElseThrow());
      assertEquals(Redirect.ALWAYS, client.followRedirects());
      assertEquals(Version.HTTP_1_1, client.version());
      assertEquals(Optional.of(Duration.ofSeconds(3)), client.connectTimeout());
    }
  }

  @ParameterizedTest
  @EnumSource
  void badValuesAreRefused(Stack stack) {
    HttpClient.Builder builder = stack.builder();
    for (int priority : new int[] {0, -1, 257}) {
      assertThrows(IllegalArgumentException.class, () -> builder.priority(priority));
    }
    for (Duration timeout : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
      assertThrows(IllegalArgumentException.class, () -> builder.connectTimeout(timeout));
    }
    for (Runnable each : List.<Runnable>of(
        () -> builder.authenticator(null),
        () -> builder.cookieHandler(null),
        () -> builder.connectTimeout(null),
        () -> builder.executor(null),
        () -> builder.followRedirects(null),
        () -> builder.proxy(null),
        () -> builder.sslContext(null),
        () -> builder.sslParameters(null),
        () -> builder.version(null))) {
      assertThrows(NullPointerException.class, each::run);
    }
  }

  /** An address of this machine that is not the default source; null if there is none. */
  private static @Nullable InetAddress anotherLoopback() throws IOException {
    InetAddress other = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
    try (ServerSocket socket = new ServerSocket(0, 1, other)) {
      return socket.getInetAddress();
    } catch (BindException e) {
      return null;
    }
  }

  @ParameterizedTest
  @EnumSource
  void connectionsStartFromTheLocalAddress(Stack stack) throws Exception {
    InetAddress local = anotherLoopback();
    assumeTrue(local != null, "this system has one loopback address");
    CompletableFuture<SocketAddress> from = new CompletableFuture<>();
    ScriptedPeer.Script script = connection -> {
      connection.expectHead();
      from.complete(connection.channel().remoteAddress());
      connection.send("HTTP/1.1 204 No\r\n\r\n");
    };
    try (ScriptedPeer peer = ScriptedPeer.each(TcpNetwork.shared(), script);
        HttpClient client = stack
            .builder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .localAddress(local)
            .build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(peer.url("/")))
          .version(Version.HTTP_1_1)
          .build();
      client.send(request, BodyHandlers.discarding());
      assertEquals(local, ((InetSocketAddress) from.get()).getAddress());
    }
  }

  private static void assertRefused(String name, Consumer<SSLParameters> setting) {
    SSLParameters parameters = new SSLParameters();
    setting.accept(parameters);
    HttpClient.Builder builder = HeddleHttpClient.newBuilder().sslParameters(parameters);
    IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, builder::build);
    assertTrue(refused.getMessage().contains("sslParameters." + name), refused.getMessage());
  }

  @Test
  void aPropertySaysHowLargeHeadsMayBe() {
    assertEquals(1_000, Settings.maxHeadBytes(1_000));
    assertEquals(64, Settings.maxHeadBytes(1));
    assertEquals(Integer.MAX_VALUE, Settings.maxHeadBytes(0));
    assertEquals(Integer.MAX_VALUE, Settings.maxHeadBytes(-1));
  }

  @Test
  void namedGroupsAreHonoured() {
    SSLParameters parameters = new SSLParameters();
    parameters.setNamedGroups(new String[] {"secp256r1"});
    try (HttpClient client =
        HeddleHttpClient.newBuilder().sslParameters(parameters).build()) {
      assertArrayEquals(new String[] {"secp256r1"}, client.sslParameters().getNamedGroups());
    }
  }

  @Test
  void parametersThatCannotBeHonouredAreRefused() {
    assertRefused("signatureSchemes", all -> all.setSignatureSchemes(new String[] {"ed25519"}));
    assertRefused("maximumPacketSize", all -> all.setMaximumPacketSize(1000));
    assertRefused(
        "endpointIdentificationAlgorithm", all -> all.setEndpointIdentificationAlgorithm("LDAPS"));
    assertRefused(
        "algorithmConstraints",
        all -> all.setAlgorithmConstraints(new AlgorithmConstraints() {
          @Override
          public boolean permits(
              Set<CryptoPrimitive> primitives, String algorithm, AlgorithmParameters given) {
            return true;
          }

          @Override
          public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
            return true;
          }

          @Override
          public boolean permits(
              Set<CryptoPrimitive> primitives,
              String algorithm,
              Key key,
              AlgorithmParameters given) {
            return true;
          }
        }));
  }

  @ParameterizedTest
  @EnumSource
  void theParametersOfTheContextAreTaken(Stack stack) throws Exception {
    SSLParameters usual = SSLContext.getDefault().getDefaultSSLParameters();
    stack.builder().sslParameters(usual).build().close();
    SSLParameters all = SSLContext.getDefault().getSupportedSSLParameters();
    all.setProtocols(new String[] {"TLSv1.3"});
    stack.builder().sslParameters(all).build().close();
  }

  @Test
  void timeoutsCoverContentAsInTheRunningJdkUnlessAPropertyDecides() {
    assertFalse(Settings.timesContent(null, 25));
    assertTrue(Settings.timesContent(null, 26));
    assertTrue(Settings.timesContent("true", 25));
    assertFalse(Settings.timesContent("false", 26));
  }

  @ParameterizedTest
  @EnumSource
  void handlersRunOnTheExecutor(Stack stack) throws Exception {
    try (MockServer server = MockServer.start();
        ExecutorService executor =
            Executors.newSingleThreadExecutor(task -> new Thread(task, "given"));
        HttpClient client = stack
            .builder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .executor(executor)
            .build()) {
      HttpRequest request = HttpRequest.newBuilder(URI.create(server.url("/")))
          .version(Version.HTTP_1_1)
          .build();
      for (int length : new int[] {5, 500_000}) {
        server.enqueue(MockResponse.ok(new byte[length]));
        CompletableFuture<String> thread = new CompletableFuture<>();
        byte[] body = client
            .sendAsync(request, head -> {
              thread.complete(Thread.currentThread().getName());
              return BodySubscribers.ofByteArray();
            })
            .get()
            .body();
        assertEquals(length, body.length);
        assertEquals("given", thread.get());
      }
    }
  }

  @Test
  void anExecutorThatTakesNoTasksDoesNotStopCalls() throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (MockServer server = MockServer.start();
        HttpClient client = HeddleHttpClient.newBuilder()
            .proxy(HttpClient.Builder.NO_PROXY)
            .executor(executor)
            .build()) {
      executor.shutdown();
      server.enqueue(MockResponse.ok("x".repeat(100_000)));
      HttpRequest request = HttpRequest.newBuilder(URI.create(server.url("/")))
          .version(Version.HTTP_1_1)
          .build();
      assertEquals(
          100_000,
          client
              .sendAsync(request, BodyHandlers.ofString(StandardCharsets.UTF_8))
              .get()
              .body()
              .length());
    }
  }
}
