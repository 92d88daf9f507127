package heddle.adapters.okhttp;

import heddle.adapters.support.Clients;
import heddle.transport.tls.TlsOptions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;
import okhttp3.CipherSuite;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import okhttp3.TlsVersion;
import org.jspecify.annotations.Nullable;

/** Converts a client's TLS settings to Heddle's options. */
final class Tls {
  private Tls() {}

  /**
   * Returns the options for a client; null if it only uses cleartext.
   *
   * @param key for TLS client authentication; null for none
   */
  static @Nullable TlsOptions options(OkHttpClient settings, @Nullable X509KeyManager key) {
    X509TrustManager trust = settings.x509TrustManager();
    if (trust == null) {
      return null;
    }
    // Like OkHttp, which also requires a subjectAltName, and leaves key sizes to the JDK.
    TlsOptions.Builder options = TlsOptions.builder().trustManagers(trust).allowShortRsaKeys();
    if (key != null) {
      options.keyManagers(key);
    } else if (ClientKey.isIn(settings.sslSocketFactory())) {
      options.keyManagers(new ClientKey.Hidden());
    }
    if (Settings.verifies(settings)) {
      options.serverChecks((host, port) -> engine -> verify(settings, host, engine.getSession()));
    }
    List<ConnectionSpec> secure =
        settings.connectionSpecs().stream().filter(ConnectionSpec::isTls).toList();
    // OkHttp's MODERN_TLS corresponds to Heddle's defaults.
    if (!secure.isEmpty() && !secure.equals(List.of(ConnectionSpec.MODERN_TLS))) {
      allow(secure, options);
    }
    return options.build();
  }

  /** Offers everything that any of the specifications allows, in their order, in one handshake. */
  private static void allow(List<ConnectionSpec> specs, TlsOptions.Builder options) {
    // A specification without versions, or suites, allows all that the socket supports.
    if (specs.stream().allMatch(spec -> spec.tlsVersions() != null)) {
      options.protocols(
          all(specs, ConnectionSpec::tlsVersions).map(TlsVersion::javaName).toArray(String[]::new));
    }
    if (specs.stream().allMatch(spec -> spec.cipherSuites() != null)) {
      options.cipherSuites(supported(
          all(specs, ConnectionSpec::cipherSuites).map(CipherSuite::javaName).toList()));
    }
  }

  private static <T> Stream<T> all(
      List<ConnectionSpec> specs, Function<ConnectionSpec, @Nullable List<T>> of) {
    return specs.stream()
        .flatMap(spec -> Objects.requireNonNullElse(of.apply(spec), List.<T>of()).stream())
        .distinct();
  }

  /** Returns the suites that the JDK supports, in order. OkHttp also ignores the others. */
  private static String[] supported(List<String> suites) {
    Set<String> known =
        Set.of(Clients.defaultContext().getSupportedSSLParameters().getCipherSuites());
    String[] both = suites.stream().filter(known::contains).toArray(String[]::new);
    if (both.length == 0) {
      throw new IllegalArgumentException("OkHttpClient.connectionSpecs allows none of the cipher "
          + "suites that the JDK supports: " + suites);
    }
    return both;
  }

  /** Verifies the host and its pins within the handshake, before anything is sent to the server. */
  private static void verify(OkHttpClient settings, String host, SSLSession session)
      throws SSLException {
    if (!settings.hostnameVerifier().verify(host, session)) {
      throw new SSLPeerUnverifiedException(
          "Hostname " + host + " not verified: OkHttpClient.hostnameVerifier rejected the server");
    }
    settings.certificatePinner().check(host, List.of(session.getPeerCertificates()));
  }
}
