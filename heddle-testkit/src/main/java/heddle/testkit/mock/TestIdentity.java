package heddle.testkit.mock;

import heddle.http.syntax.Host;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * A TLS identity of a test server: a new key with a self-signed certificate, and a context that
 * trusts only that certificate. Immutable.
 *
 * <pre>{@code
 * TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
 * MockServer server = MockServer.builder().tls(identity.server()).start();
 * HttpClient client = HttpClient.newBuilder().sslContext(identity.trusting()).build();
 * }</pre>
 */
public final class TestIdentity {
  private static final String ALIAS = "server";
  private static final String PASSWORD = "changeit";

  private final KeyStore keys;
  private final X509Certificate certificate;

  private TestIdentity(KeyStore keys, X509Certificate certificate) {
    this.keys = keys;
    this.certificate = certificate;
  }

  /**
   * A new identity, made with the JDK's keytool, valid for some days.
   *
   * @param names host names or addresses that the certificate is for
   * @throws IOException if keytool fails; the message has its output
   */
  public static TestIdentity forNames(String... names)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path folder = Files.createTempDirectory("heddle-identity");
    Path file = folder.resolve("identity.p12");
    try {
      keytool(
          file,
          Arrays.stream(names).map(TestIdentity::alternative).collect(Collectors.joining(",")));
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      return new TestIdentity(keys, (X509Certificate) keys.getCertificate(ALIAS));
    } finally {
      Files.deleteIfExists(file);
      Files.delete(folder);
    }
  }

  /** As keytool wants it. */
  private static String alternative(String name) {
    InetAddress address = Host.address(name);
    return address == null ? "DNS:" + name : "IP:" + address.getHostAddress();
  }

  private static void keytool(Path file, String names) throws IOException, InterruptedException {
    Process made = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-dname",
            "CN=heddle",
            "-ext",
            "SAN=" + names,
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString(),
            // Half a second of CPU time less: it lives shortly, and its password keeps no secret.
            "-J-XX:TieredStopAtLevel=1",
            "-J-XX:+UseSerialGC",
            "-J-Dkeystore.pkcs12.certPbeIterationCount=100",
            "-J-Dkeystore.pkcs12.keyPbeIterationCount=100",
            "-J-Dkeystore.pkcs12.macIterationCount=100")
        .redirectErrorStream(true)
        .start();
    String said = new String(made.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (made.waitFor() != 0) {
      throw new IOException("keytool: " + said);
    }
  }

  /**
   * TLS options for a server with this identity.
   *
   * @param versions of TLS that it speaks, such as {@code TLSv1.2}; Heddle's defaults if there are
   *     none
   */
  public TlsOptions server(String... versions) {
    TlsOptions.Builder options = TlsOptions.builder().identity(keys, PASSWORD.toCharArray());
    return versions.length == 0 ? options.build() : options.protocols(versions).build();
  }

  /** A new key store with the key and the certificate, for servers that are not Heddle's. */
  public KeyStore keyStore(String password) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    Key key = keys.getKey(ALIAS, PASSWORD.toCharArray());
    store.setKeyEntry(ALIAS, key, password.toCharArray(), new Certificate[] {certificate});
    return store;
  }

  /** A new context with this identity, for servers that are not Heddle's. */
  public SSLContext serving() throws GeneralSecurityException, IOException {
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), null, null);
    return context;
  }

  /** The certificate. */
  public X509Certificate certificate() {
    return certificate;
  }

  /** The certificate in PEM (RFC 7468). */
  public String pem() throws GeneralSecurityException {
    Base64.Encoder lines = Base64.getMimeEncoder(64, new byte[] {'\n'});
    return "-----BEGIN CERTIFICATE-----\n"
        + lines.encodeToString(certificate.getEncoded())
        + "\n-----END CERTIFICATE-----\n";
  }

  /** A new context that trusts this server, without sessions to resume. */
  public SSLContext trusting() throws GeneralSecurityException, IOException {
    return trusting(this);
  }

  /** A new context that trusts these servers, without sessions to resume. */
  public static SSLContext trusting(TestIdentity... servers)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    for (int i = 0; i < servers.length; i++) {
      trusted.setCertificateEntry("server-" + i, servers[i].certificate);
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    TrustManager[] all = managers.getTrustManagers();
    context.init(null, all, null);
    return context;
  }
}
