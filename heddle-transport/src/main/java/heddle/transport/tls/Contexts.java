package heddle.transport.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Makes contexts of what {@link TlsOptions} were given. */
final class Contexts {
  /** Of stores that live in memory only: nothing is protected with it. */
  static final char[] MEMORY_PASSWORD = {'-'};

  private Contexts() {}

  /** A context of the JDK's own provider. */
  static SSLContext make(TrustManager[] trust, KeyManager[] keys) throws GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust, null);
    return context;
  }

  /**
   * @param identity null for none
   */
  static KeyManager[] keys(@Nullable KeyStore identity, char[] password)
      throws GeneralSecurityException {
    if (identity == null) {
      return new KeyManager[0];
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(identity, password);
    return factory.getKeyManagers();
  }

  /**
   * @param trust null for what the JDK trusts
   */
  static TrustManager[] trust(@Nullable KeyStore trust, boolean everything)
      throws GeneralSecurityException {
    return new TrustManager[] {everything ? new TrustEverything() : trustManager(trust)};
  }

  private static TrustManager trustManager(@Nullable KeyStore trust)
      throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trust);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager checker) {
        return new ReportingTrust(checker);
      }
    }
    throw new GeneralSecurityException("the JDK has no trust manager for certificates");
  }

  static KeyStore store(List<X509Certificate> trusted)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    for (int i = 0; i < trusted.size(); i++) {
      store.setCertificateEntry("authority-" + i, trusted.get(i));
    }
    return store;
  }

  static KeyStore store(List<X509Certificate> chain, PrivateKey key)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty();
    store.setKeyEntry("identity", key, MEMORY_PASSWORD, chain.toArray(X509Certificate[]::new));
    return store;
  }

  private static KeyStore empty() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
