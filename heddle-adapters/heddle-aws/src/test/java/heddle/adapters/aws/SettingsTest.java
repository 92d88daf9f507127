package heddle.adapters.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.adapters.support.Clients;
import heddle.client.HttpClient;
import heddle.client.settings.PoolLimits;
import heddle.http.HttpVersion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.Protocol;
import software.amazon.awssdk.http.ProtocolNegotiation;
import software.amazon.awssdk.http.SdkHttpConfigurationOption;
import software.amazon.awssdk.http.SdkHttpService;
import software.amazon.awssdk.http.async.SdkAsyncHttpService;
import software.amazon.awssdk.utils.AttributeMap;

/** The options of the SDK: all are honoured, in order of precedence, or refused. */
class SettingsTest {
  private static final AttributeMap NONE = AttributeMap.empty();

  /** Services set it for clients that have no timeouts by default. */
  private static final SdkHttpConfigurationOption<Duration> INTERNAL =
      SdkHttpConfigurationOption.SDK_INTERNAL_FALLBACK_READ_WRITE_TIMEOUT;

  private static <T> AttributeMap with(SdkHttpConfigurationOption<T> option, T value) {
    return AttributeMap.builder().put(option, value).build();
  }

  private static <T> Settings settings(SdkHttpConfigurationOption<T> option, T value) {
    return new Settings(with(option, value), NONE, true);
  }

  private static PoolLimits limits(AttributeMap given, AttributeMap defaults, boolean blocking) {
    try (HttpClient client = new Settings(given, defaults, blocking).client(origin -> List.of())) {
      return client.pool().limits();
    }
  }

  private static <T> PoolLimits limits(SdkHttpConfigurationOption<T> option, T value) {
    return limits(with(option, value), NONE, true);
  }

  /** A version of the SDK with one more makes this fail: honour it, or refuse it with a reason. */
  @Test
  void everyOptionOfTheSdkIsKnown() {
    assertTrue(Settings.known().size() >= 16, () -> "found only " + Settings.known());
    Set<SdkHttpConfigurationOption<?>> expected = new HashSet<>(Settings.HONOURED);
    expected.add(INTERNAL);
    assertEquals(expected, new HashSet<>(Settings.known()));
  }

  @Test
  void anUnknownOptionIsRefusedIfTheUserSetsItAndIgnoredAmongTheServicesDefaults() {
    AttributeMap unknown = with(INTERNAL, Duration.ofSeconds(50));
    new Settings(NONE, unknown, false).client(origin -> List.of()).close();
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> new Settings(unknown, NONE, false));
    assertTrue(refusal.getMessage().contains(INTERNAL.name()), refusal.getMessage());
  }

  @Test
  void optionsOfTheUserComeBeforeThoseOfTheServiceAndThoseBeforeTheSdks() {
    AttributeMap service = AttributeMap.builder()
        .put(SdkHttpConfigurationOption.MAX_CONNECTIONS, 7)
        .put(SdkHttpConfigurationOption.MAX_PENDING_CONNECTION_ACQUIRES, 8)
        .build();
    PoolLimits limits = limits(with(SdkHttpConfigurationOption.MAX_CONNECTIONS, 5), service, true);
    assertEquals(5, limits.maxPerRoute());
    assertEquals(8, limits.maxQueuedPerRoute());
    assertEquals(Duration.ofSeconds(10), limits.acquireTimeout());
    assertEquals(Duration.ofSeconds(60), limits.idleTimeout());
  }

  @Test
  void limitOfABlockingClientHoldsForAllHostsAndOfAnAsynchronousOneForEach() {
    AttributeMap three = with(SdkHttpConfigurationOption.MAX_CONNECTIONS, 3);
    PoolLimits blocking = limits(three, NONE, true);
    assertEquals(3, blocking.maxTotal());
    assertEquals(3, blocking.maxInFlightPerRoute());
    PoolLimits asynchronous = limits(three, NONE, false);
    assertTrue(asynchronous.maxTotal() > 1_000, asynchronous.toString());
    assertEquals(3, asynchronous.maxPerRoute());
    assertEquals(3, asynchronous.maxInFlightPerRoute());
  }

  @Test
  void connectionsLiveAsLongAsTheOptionsSay() {
    assertEquals(Clients.FOREVER, limits(NONE, NONE, true).maxAge());
    PoolLimits aged =
        limits(SdkHttpConfigurationOption.CONNECTION_TIME_TO_LIVE, Duration.ofSeconds(20));
    assertEquals(Duration.ofSeconds(20), aged.maxAge());
    assertEquals(0, aged.ageJitter());
    assertEquals(Duration.ofSeconds(20), aged.idleTimeout());
    assertEquals(
        Duration.ofSeconds(3),
        limits(SdkHttpConfigurationOption.CONNECTION_MAX_IDLE_TIMEOUT, Duration.ofSeconds(3))
            .idleTimeout());
    assertEquals(
        Clients.FOREVER,
        limits(SdkHttpConfigurationOption.REAP_IDLE_CONNECTIONS, false).idleTimeout());
  }

  @Test
  void versionIsThatOfTheOptions() {
    assertEquals(HttpVersion.HTTP_1_1, new Settings(NONE, NONE, true).version());
    assertEquals(
        HttpVersion.HTTP_2,
        settings(SdkHttpConfigurationOption.PROTOCOL, Protocol.HTTP2).version());
    AttributeMap alpn = AttributeMap.builder()
        .put(SdkHttpConfigurationOption.PROTOCOL, Protocol.HTTP2)
        .put(SdkHttpConfigurationOption.PROTOCOL_NEGOTIATION, ProtocolNegotiation.ALPN)
        .build();
    assertNull(new Settings(alpn, NONE, false).version());
  }

  @Test
  void zeroMeansNoLimit() {
    assertNull(settings(SdkHttpConfigurationOption.WRITE_TIMEOUT, Duration.ZERO).writeTimeout());
    assertEquals(Duration.ofSeconds(30), new Settings(NONE, NONE, true).writeTimeout());
    assertEquals(
        Clients.FOREVER,
        limits(SdkHttpConfigurationOption.CONNECTION_ACQUIRE_TIMEOUT, Duration.ZERO)
            .acquireTimeout());
  }

  static SdkHttpConfigurationOption<?>[] durations() {
    return Settings.known().stream()
        .filter(
            each -> SdkHttpConfigurationOption.GLOBAL_HTTP_DEFAULTS.get(each) instanceof Duration)
        .toArray(SdkHttpConfigurationOption<?>[]::new);
  }

  @ParameterizedTest
  @MethodSource("durations")
  @SuppressWarnings("unchecked") // the source has looked at the type of the value
  void negativeDurationIsRefusedByName(SdkHttpConfigurationOption<?> option) {
    var duration = (SdkHttpConfigurationOption<Duration>) option;
    Settings wrong = settings(duration, Duration.ofSeconds(-1));
    IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class, () -> {
      wrong.writeTimeout();
      wrong.client(origin -> List.of());
    });
    assertSays(refusal, "the option " + option.name() + " cannot be honoured: it is negative");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1})
  void numberOfConnectionsThatAllowsNoneIsRefusedByName(int connections) {
    assertSays(
        assertThrows(
            IllegalArgumentException.class,
            () -> HeddleHttpClient.builder().maxConcurrency(connections).build()),
        "MaxConnections cannot be honoured: it is " + connections + "; give 1 or more");
  }

  @Test
  void trustInSomeAndInEverybodyIsRefusedByName() {
    HeddleHttpClient.Builder builder =
        HeddleHttpClient.builder().tlsTrustManagersProvider(() -> new TrustManager[1]);
    AttributeMap everything = with(SdkHttpConfigurationOption.TRUST_ALL_CERTIFICATES, true);
    IllegalArgumentException refusal =
        assertThrows(IllegalArgumentException.class, () -> builder.buildWithDefaults(everything));
    assertSays(refusal, "TrustAllCertificates");
    assertSays(refusal, "TlsTrustManagersProvider");
  }

  @Test
  void trustManagersThatAreNoneAreRefused() {
    assertSays(
        assertThrows(IllegalArgumentException.class, () -> HeddleAsyncHttpClient.builder()
            .tlsTrustManagersProvider(() -> new TrustManager[0])
            .build()),
        "TlsTrustManagersProvider cannot be honoured");
  }

  @Test
  void sdkFindsBothServices() {
    SdkHttpService blocking =
        ServiceLoader.load(SdkHttpService.class).findFirst().orElseThrow();
    assertInstanceOf(HeddleHttpClient.Builder.class, blocking.createHttpClientBuilder());
    assertTrue(ServiceLoader.load(SdkAsyncHttpService.class).stream()
        .map(provider -> provider.get().createAsyncHttpClientFactory())
        .anyMatch(HeddleAsyncHttpClient.Builder.class::isInstance));
  }

  private static void assertSays(Exception failure, String part) {
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
  }
}
