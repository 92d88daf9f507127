package heddle.bench.server;

import heddle.bench.driver.Trust;
import heddle.load.cluster.process.ProcessOutput;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLSocket;

/** Certificates of servers on the loopback address, as PEM files. */
final class Certificates {

  private static final String ALIAS = "race";
  private static final String PASSWORD = "changeit";
  private static final int TIMEOUT_MILLIS = 5_000;
  private static final long KEYTOOL_MILLIS = 30_000;

  private Certificates() {}

  /**
   * Stores the certificates that a server presents, so that clients can trust only those. Only for
   * a server that this process has started.
   */
  static Path presentedBy(URI server, Path file) throws IOException {
    try (SSLSocket socket = (SSLSocket) new Trust.Everything()
        .context()
        .getSocketFactory()
        .createSocket(server.getHost(), server.getPort())) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.startHandshake();
      StringBuilder text = new StringBuilder();
      for (Certificate each : socket.getSession().getPeerCertificates()) {
        text.append(pem("CERTIFICATE", each.getEncoded()));
      }
      return Files.writeString(file, text, StandardCharsets.US_ASCII);
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot read the certificate of " + server, e);
    }
  }

  /**
   * A new key with a self-signed certificate for localhost and 127.0.0.1.
   *
   * @param key the file of the private key
   * @param certificate the file of the certificate
   */
  record Pair(Path key, Path certificate) {}

  /** Creates a pair with the JDK's keytool. */
  static Pair selfSigned(Path folder) throws IOException, InterruptedException {
    Path store = folder.resolve("key-store.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    List<String> command = List.of(
        keytool,
        "-genkeypair",
        "-alias",
        ALIAS,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        "CN=localhost",
        "-ext",
        "san=dns:localhost,ip:127.0.0.1",
        "-validity",
        "2",
        "-storetype",
        "PKCS12",
        "-keystore",
        store.toString(),
        "-storepass",
        PASSWORD);
    ProcessOutput made = ProcessOutput.of(command, KEYTOOL_MILLIS, () -> {});
    if (made.exitCode() != 0) {
      throw new IOException("keytool made no certificate: " + made.output() + made.errors());
    }
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      Key key = keys.getKey(ALIAS, PASSWORD.toCharArray());
      Certificate certificate = keys.getCertificate(ALIAS);
      return new Pair(
          Files.writeString(folder.resolve("key.pem"), pem("PRIVATE KEY", key.getEncoded())),
          Files.writeString(
              folder.resolve("certificate.pem"), pem("CERTIFICATE", certificate.getEncoded())));
    } catch (GeneralSecurityException e) {
      throw new IOException("cannot read what keytool has made", e);
    }
  }

  /** RFC 7468 §2. */
  private static String pem(String label, byte[] content) {
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return "-----BEGIN " + label + "-----\n" + lines.encodeToString(content) + "\n-----END " + label
        + "-----\n";
  }
}
