package heddle.cli;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** A self-signed certificate for the names of the loopback address, in memory only. */
record SelfSigned(X509Certificate certificate, PrivateKey key) {
  private static final Duration AGE = Duration.ofHours(1);
  private static final Duration LIFE = Duration.ofDays(30);
  private static final int SERIAL_BITS = 127;

  /**
   * Creates one for {@code localhost}, {@code 127.0.0.1} and {@code ::1}.
   *
   * @param more literals of further addresses
   * @throws IOException if the JDK cannot create such keys
   */
  static SelfSigned create(String... more) throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair keys = generator.generateKeyPair();
      return new SelfSigned(certify(keys, more), keys.getPrivate());
    } catch (GeneralSecurityException | OperatorCreationException e) {
      throw new IOException("cannot make a certificate: " + e.getMessage(), e);
    }
  }

  /** A key store for servers that are not Heddle's. */
  KeyStore keys(String password) throws IOException {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("serve", key, password.toCharArray(), new Certificate[] {certificate});
      return store;
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot serve with a key: " + e.getMessage(), e);
    }
  }

  private static X509Certificate certify(KeyPair keys, String... more)
      throws GeneralSecurityException, IOException, OperatorCreationException {
    X500Name name = new X500Name("CN=localhost, O=heddle serve");
    Instant now = Instant.now();
    var builder = new JcaX509v3CertificateBuilder(
        name,
        new BigInteger(SERIAL_BITS, new SecureRandom()),
        Date.from(now.minus(AGE)),
        Date.from(now.plus(LIFE)),
        name,
        keys.getPublic());
    Set<String> addresses = new LinkedHashSet<>(List.of("127.0.0.1", "::1"));
    addresses.addAll(List.of(more));
    List<GeneralName> names = new ArrayList<>();
    names.add(new GeneralName(GeneralName.dNSName, "localhost"));
    addresses.forEach(each -> names.add(new GeneralName(GeneralName.iPAddress, each)));
    builder.addExtension(
        Extension.subjectAlternativeName,
        false,
        new GeneralNames(names.toArray(GeneralName[]::new)));
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
    return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
  }
}
