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
 * Which settings of an {@link OkHttpClient} Heddle can honour. One that it cannot is refused when
 * the client is built, with its name and the reason.
 */
final class Settings {
  /** Heddle looks after silent HTTP/2 connections by itself, so often. */
  private static final int PING_MILLIS = 15_000;

  private static final List<String> PROXY_PROPERTIES =
      List.of("http.proxyHost", "https.proxyHost", "socksProxyHost");

  private static final OkHttpClient DEFAULTS = new OkHttpClient();

  private Settings() {}

  /**
   * For a client of Heddle's that is made for these settings.
   *
   * @throws IllegalArgumentException if one of them cannot be honoured
   */
  static void requireHonourable(OkHttpClient client) {
    require(
        client.socketFactory() == DEFAULTS.socketFactory(),
        "socketFactory",
        client.socketFactory(),
        "Heddle opens its own channels; leave it out");
    require(
        client.fastFallback(),
        "fastFallback",
        false,
        "Heddle always tries the addresses of a host as RFC 8305 says; leave it on");
    require(
        client.pingIntervalMillis() == 0 || client.pingIntervalMillis() >= PING_MILLIS,
        "pingInterval",
        client.pingIntervalMillis() + " ms",
        "Heddle pings a silent HTTP/2 connection after 15 s; give that or more, or leave it out");
    requireProtocols(client.protocols());
    requireTls(client);
  }

  /** Who says that a host is the right one; null for the rules of https (RFC 9525). */
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
        "Heddle speaks HTTP/2 with HTTP/1.1 beside it, HTTP/1.1 alone, or HTTP/2 by prior "
            + "knowledge alone");
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
        "only the trust manager of the JDK's own can be taken over; give a HttpClient whose "
            + "TlsOptions say the rest");
    require(
        client.certificatePinner().getPins().isEmpty()
            || client.x509TrustManager() instanceof X509ExtendedTrustManager,
        "certificatePinner",
        client.certificatePinner().getPins(),
        "pins are checked in the handshake, where the trust manager must be an "
            + "X509ExtendedTrustManager to know the host");
  }

  /**
   * For a client of Heddle's that was given and has settings of its own.
   *
   * @throws IllegalArgumentException if one is set that the other client decides
   */
  static void requireUnset(OkHttpClient client) {
    requireHonourable(client);
    String there = "the HttpClient that was given decides that; set it there and leave it out here";
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
        "the Timeouts of the HttpClient that was given decide that; set it there and leave it out "
            + "here");
  }

  private static void require(boolean good, String option, @Nullable Object value, String reason) {
    if (!good) {
      throw new IllegalArgumentException(
          "OkHttpClient." + option + " is " + value + ", which cannot be honoured: " + reason);
    }
  }

  /**
   * Which setting for connections a client has that is not the one they are opened with, of those
   * that do not change from call to call; null where none is.
   *
   * @param settings that they are opened with
   */
  static @Nullable String differing(OkHttpClient client, OkHttpClient settings) {
    if (!client.protocols().equals(settings.protocols())) {
      return "protocols";
    }
    if (!client.connectionSpecs().equals(settings.connectionSpecs())) {
      return "connectionSpecs";
    }
    if (client.pingIntervalMillis() != settings.pingIntervalMillis()) {
      return "pingInterval";
    }
    return client.fastFallback() == settings.fastFallback() ? null : "fastFallback";
  }

  /** The same, of those that say through which proxies to go. */
  static @Nullable String changedWay(Interceptor.Chain chain, OkHttpClient client) {
    if (!Objects.equals(chain.getProxy(), client.proxy())) {
      return "proxy";
    }
    if (chain.getProxySelector() != client.proxySelector()) {
      return "proxySelector";
    }
    return chain.getProxyAuthenticator() == client.proxyAuthenticator()
        ? null
        : "proxyAuthenticator";
  }

  /**
   * Which setting an interceptor has changed for one call, of those that belong to connections;
   * null where none has.
   *
   * @param client that the connections are opened for
   */
  static @Nullable String changed(Interceptor.Chain chain, OkHttpClient client) {
    if (chain.getDns() != client.dns()) {
      return "dns";
    }
    if (chain.getSocketFactory() != client.socketFactory()) {
      return "socketFactory";
    }
    if (chain.getRetryOnConnectionFailure() != client.retryOnConnectionFailure()) {
      return "retryOnConnectionFailure";
    }
    if (chain.getHostnameVerifier() != client.hostnameVerifier()) {
      return "hostnameVerifier";
    }
    // A builder that begins with this client brings equal pins in another object.
    if (!chain.getCertificatePinner().equals(client.certificatePinner())) {
      return "certificatePinner";
    }
    return chain.getX509TrustManagerOrNull() == client.x509TrustManager()
        ? null
        : "sslSocketFactory";
  }
}
