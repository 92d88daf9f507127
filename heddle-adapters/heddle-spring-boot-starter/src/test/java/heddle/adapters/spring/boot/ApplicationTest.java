package heddle.adapters.spring.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.spring.HeddleClientHttpRequestFactory;
import heddle.adapters.spring.boot.Application.Caller;
import heddle.client.settings.PoolLimits;
import heddle.http.failure.AddressRefusedException;
import heddle.testkit.mock.MockFault;
import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.testkit.mock.RecordedRequest;
import heddle.testkit.mock.TestIdentity;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.InetAddressFilter;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Real applications, over the starter alone. */
@Timeout(60)
final class ApplicationTest {
  @AutoClose
  private MockServer server;

  private ConfigurableApplicationContext context;

  @BeforeEach
  void start() throws IOException {
    server = MockServer.start();
    server.answer("/looms", MockResponse.ok("warp"));
  }

  @AfterEach
  void close() {
    if (context != null) {
      context.close();
    }
  }

  private void run(String... properties) {
    runWith(List.of(), properties);
  }

  private void runWith(List<Class<?>> more, String... properties) {
    context = Application.run(more, server.url(""), properties);
  }

  private String get(Caller caller) {
    return caller.get(context, server.url("/looms"));
  }

  private String product() throws InterruptedException {
    return String.valueOf(server.takeRequest().header("User-Agent"));
  }

  private static Throwable cause(Runnable call) {
    return assertThrows(ResourceAccessException.class, call::run).getCause();
  }

  // ---- which client is used

  @Test
  void allCallersUseHeddleWithoutALineOfCode() throws Exception {
    run();
    for (Caller caller : Caller.values()) {
      assertEquals("warp", get(caller), caller::name);
      String product = product();
      assertTrue(product.startsWith("heddle/"), product);
    }
    assertEquals(1, server.connections(), "clients with the same settings share connections");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spring.http.clients.imperative.factory=jdk", "heddle.enabled=false"})
  void propertiesSelectAnotherClient(String property) throws Exception {
    run(property);
    for (Caller caller : Caller.values()) {
      assertEquals("warp", get(caller));
      String product = product();
      assertTrue(product.startsWith("Java-http-client"), product);
    }
  }

  /** A bean of the user's. */
  static class OwnBuilder {
    @Bean
    ClientHttpRequestFactoryBuilder<JdkClientHttpRequestFactory> own() {
      return ClientHttpRequestFactoryBuilder.jdk();
    }
  }

  @Test
  void beanOfTheUserWins() throws Exception {
    runWith(List.of(OwnBuilder.class));
    assertEquals("warp", get(Caller.REST_CLIENT));
    assertTrue(product().startsWith("Java-http-client"));
  }

  /** What the documentation of the adapter showed before there was a starter. */
  static class ReflectiveBuilder {
    @Bean
    ClientHttpRequestFactoryBuilder<HeddleClientHttpRequestFactory> heddle() {
      return ClientHttpRequestFactoryBuilder.of(HeddleClientHttpRequestFactory::new);
    }
  }

  @Test
  void reflectiveBuilderFollowsRedirectsToo() throws Exception {
    server.answer("/looms", MockResponse.of(302).header("Location", "/moved"));
    server.answer("/moved", MockResponse.ok("weft"));
    runWith(List.of(ReflectiveBuilder.class));
    assertEquals("weft", get(Caller.INTERFACE));
  }

  // ---- Boot's settings

  @ParameterizedTest
  @CsvSource({",weft", "follow,weft", "follow-when-possible,weft", "dont-follow,"})
  void redirectsAreFollowedAsConfigured(String redirects, String content) {
    server.answer("/looms", MockResponse.of(302).header("Location", "/moved"));
    server.answer("/moved", MockResponse.ok("weft"));
    run(redirects == null ? "looms=1" : "spring.http.clients.redirects=" + redirects);
    for (Caller caller : Caller.values()) {
      assertEquals(content, get(caller), caller::name);
    }
  }

  @Test
  void groupHasItsOwnSettings() {
    server.answer("/looms", MockResponse.of(302).header("Location", "/moved"));
    server.answer("/moved", MockResponse.ok("weft"));
    run("spring.http.serviceclient.looms.redirects=dont-follow");
    assertNull(get(Caller.GROUPED));
    assertEquals("weft", get(Caller.REST_CLIENT));
  }

  @Test
  void readTimeoutIsASocketTimeoutThatNamesTheProperty() {
    server.answer("/looms", MockResponse.fault(MockFault.blackHole()));
    run(
        "spring.http.clients.read-timeout=200ms",
        "spring.http.serviceclient.looms.read-timeout=100ms");
    for (Caller caller : List.of(Caller.REST_CLIENT, Caller.REST_TEMPLATE, Caller.GROUPED)) {
      Throwable told = assertInstanceOf(SocketTimeoutException.class, cause(() -> get(caller)));
      String message = String.valueOf(told.getMessage());
      assertTrue(message.contains(caller == Caller.GROUPED ? "100 ms" : "200 ms"), message);
      assertTrue(message.contains("spring.http.clients.read-timeout"), message);
    }
  }

  @Test
  void builderOfRestTemplatesOverridesSettings() {
    server.answer("/looms", MockResponse.of(302).header("Location", "/moved"));
    run();
    RestTemplateBuilder builder = context.getBean(RestTemplateBuilder.class);
    assertNull(builder
        .redirects(HttpRedirects.DONT_FOLLOW)
        .connectTimeout(Duration.ofSeconds(3))
        .build()
        .getForObject(server.url("/looms"), String.class));
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1,true,true", "127.0.0.1,false,false", "loom.test,true,false"})
  void sslBundleDecidesWhichServersAreTrusted(
      String name, boolean bundled, boolean trusted, @TempDir Path folder) throws Exception {
    TestIdentity identity = TestIdentity.forNames(name);
    Path pem = Files.writeString(folder.resolve("server.pem"), identity.pem());
    try (MockServer secure = MockServer.builder().tls(identity.server()).start()) {
      secure.answer("/looms", MockResponse.ok("weft"));
      run(
          "spring.ssl.bundle.pem.mill.truststore.certificate=" + pem.toUri(),
          bundled ? "spring.http.clients.ssl.bundle=mill" : "looms=1");
      String url = secure.url("/looms").replace("localhost", "127.0.0.1");
      for (Caller caller : List.of(Caller.REST_CLIENT, Caller.REST_TEMPLATE)) {
        if (trusted) {
          assertEquals("weft", caller.get(context, url));
        } else {
          assertInstanceOf(
              SSLHandshakeException.class, cause(() -> caller.get(context, url)), caller::name);
        }
      }
    }
  }

  @ParameterizedTest
  @CsvSource({",false", "enable,true", "disable,false"})
  void cookiesAreKeptAsConfigured(String handling, boolean kept) throws Exception {
    server.answer("/looms", MockResponse.ok("warp").header("Set-Cookie", "heddle=1; Path=/"));
    run(handling == null ? "looms=1" : "spring.http.clients.cookie-handling=" + handling);
    for (Caller caller : List.of(Caller.REST_CLIENT, Caller.REST_TEMPLATE)) {
      get(caller);
      RecordedRequest first = server.takeRequest();
      assertNull(first.header("Cookie"), "cookies stay with their client");
      get(caller);
      assertEquals(kept ? "heddle=1" : null, server.takeRequest().header("Cookie"));
    }
  }

  /** Which addresses may be called. */
  static class Filtered {
    @Bean
    InetAddressFilter filter() {
      return InetAddressFilter.externalAddresses();
    }
  }

  @Test
  void filteredAddressIsRefused() {
    runWith(List.of(Filtered.class));
    assertInstanceOf(AddressRefusedException.class, cause(() -> get(Caller.REST_CLIENT)));
    assertEquals(0, server.connections());
  }

  /** Settings of Heddle's. */
  static class Customized {
    @Bean
    ClientHttpRequestFactoryBuilderCustomizer<HeddleClientHttpRequestFactoryBuilder> limits() {
      return builder -> builder
          .withHttpClientCustomizer(
              client -> client.poolLimits(PoolLimits.builder().maxPerRoute(1).build()))
          .withCustomizer(factory -> factory.enableCompression(false));
    }
  }

  @Test
  void customizerOfBootChangesClientsAndFactories() throws Exception {
    runWith(List.of(Customized.class));
    assertEquals("warp", get(Caller.REST_CLIENT));
    assertNull(server.takeRequest().header("Accept-Encoding"));
  }

  // ---- meters and the life of clients

  @Test
  void metersOfThePoolJoinSpringsOwnOfRequests() {
    run();
    get(Caller.REST_CLIENT);
    get(Caller.REST_TEMPLATE);
    MeterRegistry registry = context.getBean(MeterRegistry.class);
    assertEquals(1, registry.get("http.client.pool.open").gauge().value());
    assertEquals(
        2,
        registry
            .get("http.client.requests")
            .tag("client.name", "127.0.0.1")
            .timer()
            .count());
  }

  @Test
  void runningRequestsEndBeforeTheContextIsClosed() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch closing = new CountDownLatch(1);
    server.reset();
    server.handler(request -> {
      arrived.countDown();
      closing.await();
      return MockResponse.ok("late");
    });
    run();
    context.addApplicationListener(event -> {
      if (event instanceof ContextClosedEvent) {
        closing.countDown();
      }
    });
    CompletableFuture<String> call = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> {
      try {
        call.complete(get(Caller.REST_CLIENT));
      } catch (RuntimeException e) {
        call.completeExceptionally(e);
      }
    });
    arrived.await();
    RestClient client = context.getBean(RestClient.class);
    context.close();
    assertEquals("late", call.get());
    assertThrows(
        RuntimeException.class,
        () -> client.get().uri(server.url("/looms")).retrieve().body(String.class));
  }

  @Test
  void factoriesWithOtherSettingsHaveOtherClients() {
    HeddleClientHttpRequestFactoryBuilder builder = new HeddleClientHttpRequestFactoryBuilder();
    RestClient one = RestClient.builder().requestFactory(builder.build()).build();
    RestClient same = RestClient.builder()
        .requestFactory(builder.build(HttpClientSettings.defaults()))
        .build();
    RestClient other = RestClient.builder()
        .requestFactory(
            builder.build(HttpClientSettings.defaults().withReadTimeout(Duration.ofSeconds(3))))
        .build();
    for (RestClient client : List.of(one, same, other)) {
      client.get().uri(server.url("/looms")).retrieve().body(String.class);
    }
    assertEquals(2, server.connections());
    builder.destroy();
    builder.destroy();
    assertThrows(
        RuntimeException.class,
        () -> other.get().uri(server.url("/looms")).retrieve().body(String.class));
  }
}
