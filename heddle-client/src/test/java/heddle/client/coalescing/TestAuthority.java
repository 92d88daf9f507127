package heddle.client.coalescing;

import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** An authority whose certificates are for the hosts that a test needs. */
public final class TestAuthority {
  private static final X500Name NAME = new X500Name("CN=Test Authority");
  private static final AtomicLong SERIAL = new AtomicLong(1);

  private final KeyPair keys = newKeys();
  private final X509Certificate certificate = sign(NAME, keys, new BasicConstraints(true));

  public X509Certificate certificate() {
    return certificate;
  }

  /** TLS options that trust it. */
  public TlsOptions.Builder trusting() {
    return TlsOptions.builder().trust(List.of(certificate));
  }

  /** Shows a certificate for these names and addresses, whose common name is the first. */
  public TlsOptions.Builder identify(TlsOptions.Builder options, String... hosts) {
    KeyPair own = newKeys();
    X509Certificate signed =
        sign(new X500Name("CN=" + hosts[0]), own, new BasicConstraints(false), hosts);
    return options.identity(List.of(signed, certificate), own.getPrivate());
  }

  private static KeyPair newKeys() {
    try {
      return KeyPairGenerator.getInstance("EC").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate sign(
      X500Name subject, KeyPair own, BasicConstraints constraints, String... hosts) {
    try {
      Instant now = Instant.now();
      var builder = new JcaX509v3CertificateBuilder(
          NAME,
          BigInteger.valueOf(SERIAL.getAndIncrement()),
          Date.from(now.minus(Duration.ofDays(1))),
          Date.from(now.plus(Duration.ofDays(1))),
          subject,
          own.getPublic());
      builder.addExtension(Extension.basicConstraints, true, constraints);
      if (hosts.length > 0) {
        GeneralName[] names =
            Arrays.stream(hosts).map(TestAuthority::name).toArray(GeneralName[]::new);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      }
      var signer = new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate());
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GeneralName name(String host) {
    boolean address = host.matches("[0-9.]+") || host.indexOf(':') >= 0;
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }
}
