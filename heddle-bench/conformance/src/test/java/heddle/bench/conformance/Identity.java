package heddle.bench.conformance;

import heddle.bench.driver.Trust;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;

/**
 * Who the server is over TLS, and how clients are to know it.
 *
 * @param server for the server
 * @param trust in that server and no other
 */
record Identity(TlsOptions server, Trust trust) {

  private static final String PASSWORD = "changeit";

  /** A new one for 127.0.0.1, made with the JDK's keytool. */
  static Identity make(Path folder)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = folder.resolve("identity.p12");
    Path certificate = folder.resolve("certificate.pem");
    keytool(
        "-genkeypair",
        "-alias",
        "server",
        "-keyalg",
        "EC",
        "-dname",
        "CN=localhost",
        "-ext",
        "SAN=DNS:localhost,IP:127.0.0.1",
        "-storetype",
        "PKCS12",
        "-keystore",
        store);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    byte[] encoded = keys.getCertificate("server").getEncoded();
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    Files.writeString(
        certificate,
        "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n",
        StandardCharsets.US_ASCII);
    TlsOptions server =
        TlsOptions.builder().identity(keys, PASSWORD.toCharArray()).build();
    return new Identity(server, new Trust.Pem(certificate));
  }

  private static void keytool(Object... arguments) throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    for (Object each : arguments) {
      builder.command().add(each.toString());
    }
    builder.command().add("-storepass");
    builder.command().add(PASSWORD);
    Process keytool = builder.redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }
}
