package heddle.transport.tls;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The blocks of a file in PEM's text form (RFC 7468); what stands between them is skipped. */
record PemFile(Path path, List<Block> blocks) {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "-----END ";
  private static final String DASHES = "-----";
  private static final long MAX_BYTES = 16 << 20; // More is some other file.

  /**
   * @param label such as {@code CERTIFICATE}
   * @param line where it begins, from 1
   * @param encrypted whether its text has the fields of an encrypted key (RFC 1421 §4.6)
   */
  @SuppressWarnings("ArrayRecordComponent") // Handed on once, to be decoded.
  record Block(String label, int line, byte[] der, boolean encrypted) {}

  /** Throws when it cannot be read or is not PEM; the message names the file. */
  static PemFile read(Path path) throws IOException {
    List<String> lines;
    if (Files.isDirectory(path)) {
      throw new IOException(path + ": is a folder");
    }
    try {
      if (Files.size(path) > MAX_BYTES) {
        throw new IOException(path + ": is too large for certificates or keys");
      }
      lines = Files.readAllLines(path, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException e) {
      throw new IOException(path + ": there is no such file", e);
    }
    List<Block> blocks = new ArrayList<>();
    for (int i = 0; i < lines.size(); i++) {
      String label = label(lines.get(i), BEGIN);
      if (label != null) {
        int end = endOf(path, label, lines, i + 1);
        blocks.add(decode(path, label, i + 1, lines.subList(i + 1, end)));
        i = end;
      }
    }
    if (blocks.isEmpty()) {
      throw new IOException(path + ": has no PEM block, which begins with -----BEGIN");
    }
    return new PemFile(path, blocks);
  }

  private static @Nullable String label(String line, String marker) {
    String stripped = line.strip();
    return stripped.startsWith(marker) && stripped.endsWith(DASHES)
        ? stripped.substring(marker.length(), stripped.length() - DASHES.length())
        : null;
  }

  private static int endOf(Path path, String label, List<String> lines, int from)
      throws IOException {
    for (int i = from; i < lines.size(); i++) {
      if (label.equals(label(lines.get(i), END))) {
        return i;
      }
      if (label(lines.get(i), BEGIN) != null) {
        break;
      }
    }
    throw new IOException(path + ": the " + label + " that begins at line " + from + " has no end");
  }

  private static Block decode(Path path, String label, int line, List<String> content)
      throws IOException {
    StringBuilder base64 = new StringBuilder();
    boolean encrypted = false;
    for (String each : content) {
      if (each.indexOf(':') >= 0) {
        encrypted |= each.startsWith("Proc-Type:") && each.contains("ENCRYPTED");
      } else {
        base64.append(each.strip());
      }
    }
    try {
      byte[] der = encrypted ? new byte[0] : Base64.getDecoder().decode(base64.toString());
      return new Block(label, line, der, encrypted);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          path + ": the " + label + " at line " + line + " is not Base64: " + e.getMessage(), e);
    }
  }

  /** All certificates, in order. Throws when there is none or one is broken. */
  List<X509Certificate> certificates() throws IOException {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks) {
      // Others are a key, or parameters of one: some keep everything in one file.
      if (block.label.equals("CERTIFICATE") || block.label.equals("X509 CERTIFICATE")) {
        certificates.add(certificate(block));
      }
    }
    if (certificates.isEmpty()) {
      throw new IOException(path + ": has no CERTIFICATE, only " + labels());
    }
    return certificates;
  }

  private X509Certificate certificate(Block block) throws IOException {
    try {
      return (X509Certificate) CertificateFactory.getInstance("X.509")
          .generateCertificate(new ByteArrayInputStream(block.der));
    } catch (CertificateException e) {
      throw new IOException(
          path + ": the certificate at line " + block.line + " is broken: " + e.getMessage(), e);
    }
  }

  /** What the file holds, for a message that says what is missing. */
  String labels() {
    return String.join(", ", blocks.stream().map(Block::label).distinct().toList());
  }
}
