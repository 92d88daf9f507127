package heddle.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.bench.routes.ExperimentRoutes;
import heddle.server.HttpServer;
import heddle.transport.tls.TlsOptions;
import heddle.transport.tls.TlsOptions.ClientAuthentication;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands over TLS: whom they trust, who they are, and what they say when that fails. */
final class TlsCommandsTest {

  @TempDir
  private Path folder;

  private SelfSigned self;

  @AutoClose
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    self = SelfSigned.create();
    server = serve(TlsOptions.builder());
  }

  private HttpServer serve(TlsOptions.Builder builder) throws IOException {
    return HttpServer.builder()
        .handler(new ExperimentRoutes())
        .closeTimeout(Duration.ZERO)
        .tls(builder.identity(List.of(self.certificate()), self.key()).build())
        .start();
  }

  private Path pem(String name, String label, byte[] der) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return Files.writeString(
        folder.resolve(name),
        "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n");
  }

  private Path certificate(Certificate certificate) throws Exception {
    return pem("certificate.pem", "CERTIFICATE", certificate.getEncoded());
  }

  private Path key(SelfSigned owner) throws IOException {
    return pem("key.pem", "PRIVATE KEY", owner.key().getEncoded());
  }

  private Ran get(String host, String path, String... options) {
    return Ran.of(Stream.concat(
            Stream.of("get", "https://" + host + ":" + server.port() + path), Stream.of(options))
        .toArray(String[]::new));
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1"})
  void caCertIsTrusted(String host) throws Exception {
    String trusted = certificate(self.certificate()).toString();
    assertEquals(
        new Ran(0, "Hello!", ""), get(host, "/hello", "--cacert", trusted, "--http", "1.1"));
  }

  @Test
  void insecureTrustsAnybody() {
    Ran ran = get("localhost", "/hello", "-k", "-i", "--http", "1.1");
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().startsWith("HTTP/1.1 200 OK\n"), ran::out);
  }

  @Test
  void unknownAuthorityIsNamedWithWhatHelps() {
    get("localhost", "/hello")
        .assertFailed(
            "localhost:" + server.port(),
            "CN=localhost",
            "not signed by a trusted authority",
            "--cacert",
            "-k");
  }

  @Test
  void clientShowsItsCertificate() throws Exception {
    server.close();
    SelfSigned me = SelfSigned.create();
    server = serve(TlsOptions.builder()
        .trust(List.of(me.certificate()))
        .clientAuthentication(ClientAuthentication.NEEDED));
    String own = certificate(me.certificate()).toString();
    String ownKey = key(me).toString();
    assertEquals(
        new Ran(0, "Hello!", ""),
        get("localhost", "/hello", "-k", "--http", "1.1", "--cert", own, "--key", ownKey));
    get("localhost", "/hello", "-k", "--http", "1.1")
        .assertFailed("localhost:" + server.port(), "certificate", "--cert");
  }

  @Test
  void loadShowsItsCertificate() throws Exception {
    server.close();
    SelfSigned me = SelfSigned.create();
    server = serve(TlsOptions.builder()
        .trust(List.of(me.certificate()))
        .clientAuthentication(ClientAuthentication.NEEDED));
    String own = certificate(me.certificate()).toString();
    String url = "https://localhost:" + server.port() + "/hello";
    Ran ran =
        Ran.of("load", url, "-n", "5", "-k", "--cert", own, "--key", key(me).toString());
    assertEquals(0, ran.code(), ran::err);
    assertTrue(ran.out().startsWith("5 answered in "), ran::out);
    Ran.of("load", url, "-n", "5", "-k").assertFailed("no request was answered");
  }

  @Test
  void keyAndCertificateMayShareAFile() throws Exception {
    server.close();
    SelfSigned me = SelfSigned.create();
    server = serve(TlsOptions.builder()
        .trust(List.of(me.certificate()))
        .clientAuthentication(ClientAuthentication.NEEDED));
    Path both = Files.writeString(
        folder.resolve("both.pem"),
        Files.readString(key(me)) + Files.readString(certificate(me.certificate())));
    assertEquals(
        new Ran(0, "Hello!", ""),
        get("localhost", "/hello", "-k", "--http", "1.1", "--cert", both.toString()));
  }

  @Test
  void plainHttpBehindHttpsIsRecognised() throws IOException {
    try (HttpServer plain = HttpServer.builder().handler(new ExperimentRoutes()).start()) {
      String url = "https://127.0.0.1:" + plain.port() + "/hello";
      Ran.of("get", url).assertFailed("TLS with 127.0.0.1:" + plain.port(), "request sent: no");
    }
  }

  @Test
  void wrongOptionsExitWith2AndSayWhich() throws Exception {
    String file = certificate(self.certificate()).toString();
    get("localhost", "/", "--http", "3").assertRefused("--http", "3");
    get("localhost", "/", "-k", "--cacert", file).assertRefused("-k", "--cacert");
    get("localhost", "/", "--key", file).assertRefused("--key", "--cert");
    get("localhost", "/", "--cacert", "nowhere.pem").assertRefused("nowhere.pem", "no such file");
    get("localhost", "/", "--cert", file).assertRefused(file, "PRIVATE KEY");
    get("localhost", "/", "--cert", file, "--key", key(SelfSigned.create()).toString())
        .assertRefused("key.pem", "certificate.pem");
    Ran.of("load", "https://localhost/", "-n", "1", "--key", file).assertRefused("--key", "--cert");
    Ran.of("load", "https://localhost/", "-n", "1", "-k", "--cacert", file)
        .assertRefused("-k", "--cacert");
    Ran.of("serve", "--key", file).assertRefused("--key", "--cert");
    Ran.of("serve", "--cert", "nowhere.pem").assertRefused("nowhere.pem");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void serveSpeaksTlsAndTellsItsFingerprint(boolean selfSigned) throws Exception {
    String chain = certificate(self.certificate()).toString();
    Process process = selfSigned
        ? ServeCommandTest.serve("--port", "0", "--tls")
        : ServeCommandTest.serve(
            "--port", "0", "--cert", chain, "--key", key(self).toString());
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      assertNotNull(line);
      assertTrue(line.startsWith("listening on https://127.0.0.1:"), line);
      assertTrue(lines.readLine().matches("certificate SHA-256 ([0-9A-F]{2}:){31}[0-9A-F]{2}.*"));
      String url = line.substring("listening on ".length());
      Ran ran = selfSigned
          ? Ran.of("get", url + "/hello", "-k", "--http", "1.1")
          : Ran.of("get", url + "/hello", "--cacert", chain, "--http", "1.1");
      assertEquals(new Ran(0, "Hello!", ""), ran);
    } finally {
      process.destroyForcibly();
    }
  }
}
