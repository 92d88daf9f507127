package heddle.adapters.jersey;

import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/** A server with a certificate for a host, and a context that trusts it. */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
record Identity(KeyStore keys, TrustManager[] managers, SSLContext trusting) {
  private static final String PASSWORD = "changeit";

  /**
   * @param names of the certificate, as keytool wants them
   */
  static Identity make(Path file, String names) throws Exception {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process made = new ProcessBuilder(
            keytool,
            "-genkeypair",
            "-alias",
            "server",
            "-keyalg",
            "EC",
            "-dname",
            "CN=loom",
            "-ext",
            "SAN=" + names,
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
    return new Identity(keys, trust.getTrustManagers(), context);
  }

  /** What a server is told. */
  TlsOptions server(String... versions) {
    TlsOptions.Builder options = TlsOptions.builder().identity(keys, PASSWORD.toCharArray());
    return versions.length == 0 ? options.build() : options.protocols(versions).build();
  }
}
