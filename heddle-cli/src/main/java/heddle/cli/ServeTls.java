package heddle.cli;

import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The TLS options of {@code serve}. */
final class ServeTls {

  @Option(
      names = "--tls",
      description = "Use TLS, with a temporary certificate for localhost unless --cert is given.")
  private boolean wanted;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description = "Use TLS with the certificate, and its chain, in this PEM file.")
  private @Nullable Path chain;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The certificate's private key, PEM (default: in the file of --cert).")
  private @Nullable Path key;

  /**
   * The TLS configuration and its description.
   *
   * @param made the temporary certificate; null if one was given
   */
  record Setup(TlsOptions options, @Nullable SelfSigned made, String line) {}

  /**
   * The configuration, or null to serve without TLS.
   *
   * @param addresses literals of the addresses for a temporary certificate
   * @throws IOException if a file is malformed
   * @throws IllegalArgumentException if the options contradict each other
   */
  @Nullable
  Setup setUp(String... addresses) throws IOException {
    if (chain == null) {
      if (key != null) {
        throw new IllegalArgumentException("--key is the key of --cert: give both");
      }
      return wanted ? selfSigned(addresses) : null;
    }
    Path secret = key == null ? chain : key;
    TlsOptions options = TlsOptions.builder().identity(chain, secret).build();
    return new Setup(options, null, "certificate " + fingerprint(first(chain)));
  }

  private static Setup selfSigned(String... addresses) throws IOException {
    SelfSigned made = SelfSigned.create(addresses);
    TlsOptions options =
        TlsOptions.builder().identity(List.of(made.certificate()), made.key()).build();
    return new Setup(
        options,
        made,
        "certificate " + fingerprint(made.certificate()) + ", self-signed: clients need -k");
  }

  /** TlsOptions has read the file already, so it has a certificate. */
  private static X509Certificate first(Path certificates) throws IOException {
    try (InputStream in = Files.newInputStream(certificates)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
    } catch (GeneralSecurityException e) {
      throw new IOException(certificates + ": " + e.getMessage(), e);
    }
  }

  private static String fingerprint(X509Certificate certificate) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
      return "SHA-256 " + HexFormat.ofDelimiter(":").formatHex(digest).toUpperCase(Locale.ROOT);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot take the certificate's fingerprint: " + e.getMessage(), e);
    }
  }
}
