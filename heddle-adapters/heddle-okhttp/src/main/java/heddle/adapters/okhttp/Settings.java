package heddle.adapters.okhttp;

import java.net.Proxy;
import java.net.ProxySelector;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import org.jspecify.annotations.Nullable;

/**
 * Checks which settings of an {@link OkHttpClient} Heddle can honour. Others are refused when the
 * client is built, with their name and the reason.
 */
final class Settings {
  /** The interval at which Heddle pings silent HTTP/2 connections. */
  private static final int PING_MILLIS = 15_000;

  private static final OkHttpClient DEFAULTS = new OkHttpClient();

  private static final Setting PROTOCOLS = new Setting("protocols", OkHttpClient::protocols);
  private static final Setting SPECS =
      new Setting("connectionSpecs", OkHttpClient::connectionSpecs);

  private static final List<Protocol> HTTP_1 = List.of(Protocol.HTTP_1_1);

  private static final Setting PINGS =
      new Setting("pingInterval", OkHttpClient::pingIntervalMillis);

  /** Settings that are the same for all calls, and that no interceptor can change. */
  private static final List<Setting> FIXED =
      List.of(PROTOCOLS, SPECS, PINGS, new Setting("fastFallback", OkHttpClient::fastFallback));

  /** Settings that a given Heddle client decides. */
  private static final List<Setting> DECIDED_THERE = List.of(
      PROTOCOLS,
      SPECS,
      new Setting("socketFactory", OkHttpClient::socketFactory),
      new Setting("proxyAuthenticator", OkHttpClient::proxyAuthenticator),
      new Setting("hostnameVerifier", OkHttpClient::hostnameVerifier),
      new Setting("dns", OkHttpClient::dns),
      new Setting("retryOnConnectionFailure", OkHttpClient::retryOnConnectionFailure),
      new Setting("certificatePinner", client -> client.certificatePinner().getPins()),
      new Setting("connectTimeout", client -> client.connectTimeoutMillis() + " ms"),
      new Setting("readTimeout", client -> client.readTimeoutMillis() + " ms"),
      new Setting("writeTimeout", client -> client.writeTimeoutMillis() + " ms"));

  /** A setting of a client by its name. */
  private record Setting(String name, Function<OkHttpClient, Object> of) {
    boolean isSame(OkHttpClient one, OkHttpClient other) {
      return of.apply(one).equals(of.apply(other));
    }
  }

  private Settings() {}

  /**
   * Checks the settings for a Heddle client that is made from them.
   *
   * @throws IllegalArgumentException if one of them cannot be honoured
   */
  static void requireHonourable(OkHttpClient client) {
    require(
        client.fastFallback(),
        "fastFallback",
        false,
        "Heddle always tries the addresses of a host by RFC 8305; leave it on");
    require(
        client.pingIntervalMillis() == 0
            || client.pingIntervalMillis() >= PING_MILLIS
            || client.protocols().equals(HTTP_1),
        "pingInterval",
        client.pingIntervalMillis() + " ms",
        "Heddle pings a silent HTTP/2 connection after 15 s; set 15 s or more, or omit it, and"
            + " open WebSockets with a client derived from this one that has it");
    List<Protocol> protocols = client.protocols();
    require(
        protocols.equals(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
            || (protocols.contains(Protocol.HTTP_1_1)
                && List.of(Protocol.HTTP_1_1, Protocol.HTTP_2).containsAll(protocols)),
        "protocols",
        protocols,
        "Heddle supports HTTP/2 with HTTP/1.1, HTTP/1.1 only, or HTTP/2 with prior "
            + "knowledge only");
    if (client.x509TrustManager() != null) {
      String kind = client.sslSocketFactory().getClass().getName();
      require(
          kind.equals("sun.security.ssl.SSLSocketFactoryImpl"),
          "sslSocketFactory",
          kind,
          "only the JDK's own factories are supported; pass an HttpClient whose "
              + "TlsOptions have the same settings");
    }
  }

  /** Whether servers are verified by more than the rules of HTTPS (RFC 9525). */
  static boolean verifies(OkHttpClient client) {
    return client.hostnameVerifier() != DEFAULTS.hostnameVerifier()
        || !client.certificatePinner().getPins().isEmpty();
  }

  /**
   * Checks the settings for a Heddle client that was passed and has its own settings.
   *
   * @throws IllegalArgumentException if one is set that the Heddle client decides
   */
  static void requireUnset(OkHttpClient client) {
    requireHonourable(client);
    String there = "the given HttpClient decides that; set it there and omit it here";
    for (Setting each : DECIDED_THERE) {
      require(each.isSame(client, DEFAULTS), each.name(), each.of().apply(client), there);
    }
    Proxy proxy = client.proxy();
    require(proxy == null || proxy.type() == Proxy.Type.DIRECT, "proxy", proxy, there);
    if (proxy != null) {
      return;
    }
    ProxySelector selector = client.proxySelector();
    String kind = selector.getClass().getName();
    boolean fromSystem = kind.equals("sun.net.spi.DefaultProxySelector");
    require(
        fromSystem || kind.equals("okhttp3.internal.proxy.NullProxySelector"),
        "proxySelector",
        selector,
        there);
    String named = fromSystem ? systemProxy() : null;
    require(
        named == null,
        "proxySelector",
        "the system's, with " + named,
        "the HttpClient that was given decides that; give Proxy.NO_PROXY as proxy");
  }

  /** The system property that sets a proxy, with its value; null for none. */
  private static @Nullable String systemProxy() {
    return Boolean.getBoolean("java.net.useSystemProxies")
        ? "java.net.useSystemProxies=true"
        : Stream.of("http.proxyHost", "https.proxyHost", "socksProxyHost")
            .filter(name -> System.getProperty(name) != null)
            .map(name -> name + "=" + System.getProperty(name))
            .findFirst()
            .orElse(null);
  }

  static void require(boolean good, String option, @Nullable Object value, String reason) {
    if (!good) {
      throw new IllegalArgumentException(
          "OkHttpClient." + option + " is " + value + ", which cannot be honoured: " + reason);
    }
  }

  /**
   * Returns the name of a connection setting that differs from the settings that connections are
   * opened with, among those that are the same for all calls; null for none.
   *
   * @param settings that connections are opened with
   * @param webSocket whether the client is that of a web socket, which speaks HTTP/1.1 and sends
   *     its own pings
   */
  static @Nullable String differing(OkHttpClient client, OkHttpClient settings, boolean webSocket) {
    return FIXED.stream()
        .filter(each -> !webSocket || (each != PROTOCOLS && each != PINGS))
        .filter(each -> !each.isSame(client, settings))
        .map(Setting::name)
        .findFirst()
        .orElse(null);
  }

  /** The same for settings of proxies. */
  static @Nullable String changedWay(Interceptor.Chain chain, OkHttpClient client) {
    return !Objects.equals(chain.getProxy(), client.proxy())
        ? "proxy"
        : chain.getProxySelector() != client.proxySelector()
            ? "proxySelector"
            : chain.getProxyAuthenticator() != client.proxyAuthenticator()
                ? "proxyAuthenticator"
                : null;
  }

  /**
   * Returns the name of a connection setting that an interceptor has changed for one call; null for
   * none.
   *
   * @param client with whose settings connections are opened
   */
  static @Nullable String changed(Interceptor.Chain chain, OkHttpClient client) {
    // Another sslSocketFactory makes the pinner differ too. Equal pins may be in another object.
    return chain.getDns() != client.dns()
        ? "dns"
        : chain.getSocketFactory() != client.socketFactory()
            ? "socketFactory"
            : chain.getRetryOnConnectionFailure() != client.retryOnConnectionFailure()
                ? "retryOnConnectionFailure"
                : chain.getHostnameVerifier() != client.hostnameVerifier()
                    ? "hostnameVerifier"
                    : chain.getX509TrustManagerOrNull() != client.x509TrustManager()
                        ? "sslSocketFactory"
                        : !chain.getCertificatePinner().equals(client.certificatePinner())
                            ? "certificatePinner"
                            : null;
  }
}
