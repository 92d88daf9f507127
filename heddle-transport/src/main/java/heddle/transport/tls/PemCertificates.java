package heddle.transport.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/** The certificates of a PEM file (RFC 7468 §5). */
final class PemCertificates {
  private PemCertificates() {}

  /**
   * All certificates, in the order of the file.
   *
   * @throws IOException when there is none or one is broken; the message names file and line
   */
  static List<X509Certificate> read(Path path) throws IOException {
    PemFile file = PemFile.read(path);
    List<X509Certificate> certificates = new ArrayList<>();
    for (PemFile.Block block : file.blocks()) {
      switch (block.label()) {
        case "CERTIFICATE", "X509 CERTIFICATE" -> certificates.add(decode(path, block));
        default -> {
          // A key, or parameters of one: some keep everything in one file.
        }
      }
    }
    if (certificates.isEmpty()) {
      throw new IOException(path + ": has no CERTIFICATE, only " + file.labels());
    }
    return certificates;
  }

  private static X509Certificate decode(Path path, PemFile.Block block) throws IOException {
    try {
      return (X509Certificate) CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(block.der()));
    } catch (CertificateException e) {
      throw new IOException(
          path + ": the certificate at line " + block.line() + " is broken: " + e.getMessage(), e);
    }
  }
}
