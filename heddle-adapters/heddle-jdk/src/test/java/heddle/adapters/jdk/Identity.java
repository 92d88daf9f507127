package heddle.adapters.jdk;

import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A server for localhost and 127.0.0.1, and a context that trusts it. */
record Identity(TlsOptions server, SSLContext trusting) {
  private static final String PASSWORD = "changeit";

  static Identity make(Path folder) throws Exception {
    Path file = folder.resolve("identity.p12");
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process made = new ProcessBuilder(
            keytool,
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
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString())
        .redirectErrorStream(true)
        .start();
    String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (made.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", keys.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return new Identity(
        TlsOptions.builder().identity(keys, PASSWORD.toCharArray()).build(), context);
  }
}
