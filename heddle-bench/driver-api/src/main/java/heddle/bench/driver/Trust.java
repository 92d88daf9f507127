package heddle.bench.driver;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Which certificates of a server a client accepts over TLS. */
public sealed interface Trust {

  /** Certificates that the JDK trusts. */
  record Default() implements Trust {}

  /**
   * Certificates that chain to one of a file.
   *
   * @param certificates X.509 certificates in PEM, one after the other
   */
  record Pem(Path certificates) implements Trust {}

  /** Any certificate for any host, for test servers only. */
  record Everything() implements Trust {}

  /** The trust manager, for clients that need it in addition to the context. */
  default X509ExtendedTrustManager manager() throws IOException, GeneralSecurityException {
    return switch (this) {
      case Default _ -> managerOf(null);
      case Pem(Path certificates) -> managerOf(keyStore(certificates));
      case Everything _ -> new TrustsEverything();
    };
  }

  /** A context with this trust, and otherwise the JDK's defaults. */
  default SSLContext context() throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {manager()}, null);
    return context;
  }

  private static KeyStore keyStore(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("trusted-" + number++, each);
      }
    }
    return store;
  }

  private static X509ExtendedTrustManager managerOf(@Nullable KeyStore store)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    Optional<X509ExtendedTrustManager> found = Arrays.stream(factory.getTrustManagers())
        .filter(X509ExtendedTrustManager.class::isInstance)
        .map(X509ExtendedTrustManager.class::cast)
        .findFirst();
    return found.orElseThrow(
        () -> new GeneralSecurityException("the JDK has no trust manager for X.509"));
  }

  /** Checks nothing. */
  final class TrustsEverything extends X509ExtendedTrustManager {

    private TrustsEverything() {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
