package heddle.transport.tls;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A certificate of our own with its key.
 *
 * @param chain the certificate first, then those that lead to an authority; not empty
 */
record Identity(List<X509Certificate> chain, PrivateKey key) {
  Identity {
    chain = List.copyOf(chain);
  }

  /** All of a store, in its order, whose keys are protected with the password. */
  static List<Identity> in(KeyStore store, char[] password) throws GeneralSecurityException {
    List<Identity> all = new ArrayList<>();
    for (String alias : Collections.list(store.aliases())) {
      Key key = store.isKeyEntry(alias) ? store.getKey(alias, password) : null;
      Certificate[] chain = key == null ? null : store.getCertificateChain(alias);
      if (key instanceof PrivateKey own && chain != null && chain.length > 0) {
        List<X509Certificate> certificates = new ArrayList<>();
        for (Certificate each : chain) {
          if (!(each instanceof X509Certificate certificate)) {
            throw new KeyStoreException(alias + " has a certificate of type " + each.getType());
          }
          certificates.add(certificate);
        }
        all.add(new Identity(certificates, own));
      }
    }
    return all;
  }

  X509Certificate certificate() {
    return chain.getFirst();
  }

  /**
   * Whether the key is of a type, as JSSE calls those of {@link
   * javax.net.ssl.X509ExtendedKeyManager}.
   */
  boolean hasType(String keyType) {
    return certificate().getPublicKey().getAlgorithm().equals(keyType);
  }

  /**
   * Whether one of these authorities has signed a certificate of the chain.
   *
   * @param authorities null or empty if any will do
   */
  boolean isIssuedBy(Principal @Nullable [] authorities) {
    if (authorities == null || authorities.length == 0) {
      return true;
    }
    List<Principal> accepted = Arrays.asList(authorities);
    return chain.stream().anyMatch(each -> accepted.contains(each.getIssuerX500Principal()));
  }

  /**
   * Whether the key can make a signature that a peer understands.
   *
   * @param algorithms those of the peer by their names in the JDK; empty if it named none
   */
  boolean canSign(String[] algorithms) {
    if (algorithms.length == 0) {
      return true;
    }
    String type = certificate().getPublicKey().getAlgorithm();
    return Arrays.stream(algorithms).anyMatch(each -> switch (type) {
      case "EC" -> each.toUpperCase(Locale.ROOT).endsWith("WITHECDSA");
      case "RSA" -> each.toUpperCase(Locale.ROOT).endsWith("WITHRSA") || each.equals("RSASSA-PSS");
      case "EdDSA" -> each.startsWith("Ed");
      case "DSA" -> each.toUpperCase(Locale.ROOT).endsWith("WITHDSA");
      default -> each.equals(type);
    });
  }
}
