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

/** The options of {@code serve} that make it speak TLS. */
final class ServeTls {

  @Option(
      names = "--tls",
      description =
          "Speak TLS, with a certificate for localhost made on the spot unless --cert is given.")
  private boolean wanted;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description = "Speak TLS with the certificate, and those it rests on, in this PEM file.")
  private @Nullable Path chain;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "The certificate's private key, PEM (default: in the file of --cert).")
  private @Nullable Path key;

  /**
   * What to serve with, and what to say about it.
   *
   * @param made the certificate that was made on the spot; null where one was given
   */
  record Setup(TlsOptions options, @Nullable SelfSigned made, String line) {}

  /**
   * The set-up, or null to serve without TLS.
   *
   * @param addresses literals of those that a certificate made on the spot is for
   * @throws IOException when a file is not what it should be
   * @throws IllegalArgumentException when the options do not fit together
   */
  @Nullable
  Setup setUp(String... addresses) throws IOException {
    Path certificates = chain;
    if (certificates == null) {
      if (key != null) {
        throw new IllegalArgumentException("--key needs --cert, whose key it is");
      }
      return wanted ? selfSigned(addresses) : null;
    }
    Path secret = key == null ? certificates : key;
    TlsOptions options = TlsOptions.builder().identity(certificates, secret).build();
    return new Setup(options, null, "certificate " + fingerprint(first(certificates)));
  }

  private static Setup selfSigned(String... addresses) throws IOException {
    SelfSigned made = SelfSigned.create(addresses);
    TlsOptions options =
        TlsOptions.builder().identity(List.of(made.certificate()), made.key()).build();
    return new Setup(
        options,
        made,
        "certificate " + fingerprint(made.certificate()) + ", signed by itself: clients need -k");
  }

  /** The options have read the file already, so it is one. */
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
