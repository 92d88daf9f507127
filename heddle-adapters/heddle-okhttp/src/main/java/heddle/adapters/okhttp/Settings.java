package heddle.adapters.okhttp;

import java.net.Proxy;
import java.net.ProxySelector;
import java.util.List;
import java.util.Objects;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.X509ExtendedTrustManager;
import okhttp3.Authenticator;
import okhttp3.Dns;
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

  private static final List<String> PROXY_PROPERTIES =
      List.of("http.proxyHost", "https.proxyHost", "socksProxyHost");

  private static final OkHttpClient DEFAULTS = new OkHttpClient();

  private Settings() {}

  /**
   * Checks the settings for a Heddle client that is made from them.
   *
   * @throws IllegalArgumentException if one of them cannot be honoured
   */
  static void requireHonourable(OkHttpClient client) {
    require(
        client.socketFactory() == DEFAULTS.socketFactory(),
        "socketFactory",
        client.socketFactory(),
        "Heddle opens its own channels; omit it");
    require(
        client.fastFallback(),
        "fastFallback",
        false,
        "Heddle always tries the addresses of a host by RFC 8305; leave it on");
    require(
        client.pingIntervalMillis() == 0 || client.pingIntervalMillis() >= PING_MILLIS,
        "pingInterval",
        client.pingIntervalMillis() + " ms",
        "Heddle pings a silent HTTP/2 connection after 15 s; set 15 s or more, or omit it");
    requireProtocols(client.protocols());
    requireTls(client);
  }

  /** The user's verifier of hosts; null for the rules of HTTPS (RFC 9525). */
  static @Nullable HostnameVerifier verifier(OkHttpClient client) {
    HostnameVerifier verifier = client.hostnameVerifier();
    return verifier == DEFAULTS.hostnameVerifier() ? null : verifier;
  }

  private static void requireDirect(OkHttpClient client, String there) {
    require(
        client.proxyAuthenticator() == Authenticator.NONE,
        "proxyAuthenticator",
        client.proxyAuthenticator(),
        there);
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
    if (fromSystem) {
      requireNoSystemProxy();
    }
  }

  private static void requireNoSystemProxy() {
    for (String name : PROXY_PROPERTIES) {
      require(
          System.getProperty(name) == null,
          "proxySelector",
          "the system's, with " + name + "=" + System.getProperty(name),
          "the HttpClient that was given decides that; give Proxy.NO_PROXY as proxy");
    }
    require(
        !Boolean.getBoolean("java.net.useSystemProxies"),
        "proxySelector",
        "the system's, with java.net.useSystemProxies=true",
        "the HttpClient that was given decides that; give Proxy.NO_PROXY as proxy");
  }

  private static void requireProtocols(List<Protocol> protocols) {
    boolean known = protocols.equals(List.of(Protocol.H2_PRIOR_KNOWLEDGE))
        || (protocols.contains(Protocol.HTTP_1_1)
            && protocols.stream().allMatch(Settings::isKnown));
    require(
        known,
        "protocols",
        protocols,
        "Heddle supports HTTP/2 with HTTP/1.1, HTTP/1.1 only, or HTTP/2 with prior "
            + "knowledge only");
  }

  private static boolean isKnown(Protocol protocol) {
    return protocol == Protocol.HTTP_1_1 || protocol == Protocol.HTTP_2;
  }

  private static void requireTls(OkHttpClient client) {
    if (client.x509TrustManager() == null) {
      return;
    }
    String kind = client.sslSocketFactory().getClass().getName();
    require(
        kind.equals("sun.security.ssl.SSLSocketFactoryImpl"),
        "sslSocketFactory",
        kind,
        "only the JDK's own factories are supported; pass an HttpClient whose "
            + "TlsOptions have the same settings");
    require(
        client.certificatePinner().getPins().isEmpty()
            || client.x509TrustManager() instanceof X509ExtendedTrustManager,
        "certificatePinner",
        client.certificatePinner().getPins(),
        "pins are checked in the handshake, where the trust manager must be an "
            + "X509ExtendedTrustManager to know the host");
  }

  /**
   * Checks the settings for a Heddle client that was passed and has its own settings.
   *
   * @throws IllegalArgumentException if one is set that the Heddle client decides
   */
  static void requireUnset(OkHttpClient client) {
    requireHonourable(client);
    String there = "the given HttpClient decides that; set it there and omit it here";
    requireDirect(client, there);
    require(verifier(client) == null, "hostnameVerifier", client.hostnameVerifier(), there);
    require(client.dns() == Dns.SYSTEM, "dns", client.dns(), there);
    require(client.retryOnConnectionFailure(), "retryOnConnectionFailure", false, there);
    require(
        client.certificatePinner().getPins().isEmpty(),
        "certificatePinner",
        client.certificatePinner().getPins(),
        there);
    require(
        client.protocols().equals(DEFAULTS.protocols()), "protocols", client.protocols(), there);
    require(
        client.connectionSpecs().equals(DEFAULTS.connectionSpecs()),
        "connectionSpecs",
        client.connectionSpecs(),
        there);
    requireTime("connectTimeout", client.connectTimeoutMillis(), DEFAULTS.connectTimeoutMillis());
    requireTime("readTimeout", client.readTimeoutMillis(), DEFAULTS.readTimeoutMillis());
    requireTime("writeTimeout", client.writeTimeoutMillis(), DEFAULTS.writeTimeoutMillis());
  }

  private static void requireTime(String name, int millis, int usual) {
    require(
        millis == usual,
        name,
        millis + " ms",
        "the Timeouts of the given HttpClient decide that; set it there and omit it here");
  }

  private static void require(boolean good, String option, @Nullable Object value, String reason) {
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
   */
  static @Nullable String differing(OkHttpClient client, OkHttpClient settings) {
    return !client.protocols().equals(settings.protocols())
        ? "protocols"
        : !client.connectionSpecs().equals(settings.connectionSpecs())
            ? "connectionSpecs"
            : client.pingIntervalMillis() != settings.pingIntervalMillis()
                ? "pingInterval"
                : client.fastFallback() != settings.fastFallback() ? "fastFallback" : null;
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
    boolean retries = client.retryOnConnectionFailure();
    // A builder made from this client has equal pins in another object.
    return chain.getDns() != client.dns()
        ? "dns"
        : chain.getSocketFactory() != client.socketFactory()
            ? "socketFactory"
            : chain.getRetryOnConnectionFailure() != retries
                ? "retryOnConnectionFailure"
                : chain.getHostnameVerifier() != client.hostnameVerifier()
                    ? "hostnameVerifier"
                    : !chain.getCertificatePinner().equals(client.certificatePinner())
                        ? "certificatePinner"
                        : chain.getX509TrustManagerOrNull() != client.x509TrustManager()
                            ? "sslSocketFactory"
                            : null;
  }
}
