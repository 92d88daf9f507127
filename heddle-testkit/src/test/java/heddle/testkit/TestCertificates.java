package heddle.testkit;

import heddle.transport.Network;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

/** An authority that signs what tests need, for as long as they need it. */
final class TestCertificates {
  private static final AtomicLong SERIAL = new AtomicLong(1);
  private static final Duration DAY = Duration.ofDays(1);

  private final X500Name name;
  private final KeyPair keys;
  private final X509Certificate certificate;

  /** Its own certificate and those above it, without the root. */
  private final List<X509Certificate> path;

  /** A certificate, first of its chain, and its key. */
  record Identity(List<X509Certificate> chain, PrivateKey key) {}

  TestCertificates(String name) {
    this.name = new X500Name("CN=" + name);
    this.keys = newKeys("EC");
    this.certificate = sign(this.name, keys, true, now().minus(DAY), now().plus(DAY));
    this.path = List.of(certificate);
  }

  /** An authority below another, whose key is this. */
  TestCertificates(String name, TestCertificates above, KeyPair keys) {
    this.name = new X500Name("CN=" + name);
    this.keys = keys;
    this.certificate = above.sign(this.name, keys, true, now().minus(DAY), now().plus(DAY));
    this.path = List.of(certificate, above.certificate);
  }

  /** A network whose channels are protected, for contracts that hold with TLS as without. */
  static Network protecting(Network network, String version) {
    TestCertificates authority = new TestCertificates("network");
    return TlsNetwork.over(
        network,
        authority.trusting().protocols(version).build(),
        being(authority.identity("localhost")).protocols(version).build());
  }

  X509Certificate certificate() {
    return certificate;
  }

  static Instant now() {
    return Instant.now();
  }

  /** For these hosts or addresses, valid today. */
  Identity identity(String... hosts) {
    return identity("EC", now().minus(DAY), now().plus(DAY), hosts);
  }

  Identity expired(String... hosts) {
    return identity("EC", now().minus(DAY), now().minus(Duration.ofHours(1)), hosts);
  }

  Identity notYetValid(String... hosts) {
    return identity("EC", now().plus(Duration.ofHours(1)), now().plus(DAY), hosts);
  }

  Identity identity(String algorithm, Instant from, Instant to, String... hosts) {
    return identity(newKeys(algorithm), String.join(" ", hosts), from, to, hosts);
  }

  /** With a key and a common name of the test's choice. */
  Identity identity(KeyPair own, String commonName, String... hosts) {
    return identity(own, commonName, now().minus(DAY), now().plus(DAY), hosts);
  }

  private Identity identity(
      KeyPair own, String commonName, Instant from, Instant to, String... hosts) {
    List<X509Certificate> chain = new ArrayList<>(path);
    chain.addFirst(sign(new X500Name("CN=" + commonName), own, false, from, to, hosts));
    return new Identity(List.copyOf(chain), own.getPrivate());
  }

  /** Options of somebody who trusts this authority. */
  TlsOptions.Builder trusting() {
    return TlsOptions.builder().trust(List.of(certificate));
  }

  static TlsOptions.Builder being(Identity identity) {
    return TlsOptions.builder().identity(identity.chain(), identity.key());
  }

  static KeyPair rsaKeys(int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static KeyPair newKeys(String algorithm) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (algorithm.equals("EC")) {
        generator.initialize(new ECGenParameterSpec("secp256r1"));
      } else {
        generator.initialize(2048);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private X509Certificate sign(
      X500Name subject, KeyPair own, boolean authority, Instant from, Instant to, String... hosts) {
    try {
      var builder = new JcaX509v3CertificateBuilder(
          name,
          BigInteger.valueOf(SERIAL.getAndIncrement()),
          Date.from(from),
          Date.from(to),
          subject,
          own.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      if (hosts.length > 0) {
        GeneralName[] names =
            Arrays.stream(hosts).map(TestCertificates::generalName).toArray(GeneralName[]::new);
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      }
      String algorithm = keys.getPrivate().getAlgorithm().equals("RSA") ? "RSA" : "ECDSA";
      var signer = new JcaContentSignerBuilder("SHA256with" + algorithm).build(keys.getPrivate());
      return new JcaX509CertificateConverter().getCertificate(builder.build(signer));
    } catch (GeneralSecurityException | IOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static GeneralName generalName(String host) {
    boolean address = host.matches("[0-9.]+") || host.indexOf(':') >= 0;
    return new GeneralName(address ? GeneralName.iPAddress : GeneralName.dNSName, host);
  }
}
