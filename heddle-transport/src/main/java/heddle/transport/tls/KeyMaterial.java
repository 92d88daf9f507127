package heddle.transport.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** What a context of the JDK is made of: key stores, and managers of keys and trust for them. */
final class KeyMaterial {
  /** Of stores that live in memory only: nothing is protected with it. */
  static final char[] MEMORY_PASSWORD = {'-'};

  private KeyMaterial() {}

  /**
   * @param identity null for none
   */
  static KeyManager[] keyManagers(@Nullable KeyStore identity, char[] password)
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
   * @param trusted null for what the JDK trusts
   */
  static TrustManager trustManager(@Nullable KeyStore trusted) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(trusted);
    for (TrustManager manager : factory.getTrustManagers()) {
      if (manager instanceof X509ExtendedTrustManager checker) {
        return new ReportingTrust(checker);
      }
    }
    throw new GeneralSecurityException("the JDK has no trust manager for certificates");
  }

  /**
   * A store in memory.
   *
   * @param key of the first certificate, which the others certify; null if all are to be trusted
   */
  static KeyStore store(List<X509Certificate> certificates, @Nullable PrivateKey key)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (key != null) {
      X509Certificate[] chain = certificates.toArray(X509Certificate[]::new);
      store.setKeyEntry("identity", key, MEMORY_PASSWORD, chain);
      return store;
    }
    for (int i = 0; i < certificates.size(); i++) {
      store.setCertificateEntry("authority-" + i, certificates.get(i));
    }
    return store;
  }
}
