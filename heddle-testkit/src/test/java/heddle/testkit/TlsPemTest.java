package heddle.testkit;

import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.TestCertificates.Identity;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x9.ECNamedCurveTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates and keys as files: each form that is read, and what is said of the others. */
@Timeout(60)
class TlsPemTest {
  @TempDir
  private Path folder;

  private static Identity identity(String algorithm) {
    Duration day = Duration.ofDays(1);
    return AUTHORITY.identity(
        algorithm, TestCertificates.now().minus(day), TestCertificates.now().plus(day), HOST);
  }

  private static String pem(String label, byte[] der) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n";
  }

  private Path file(String name, String... blocks) throws IOException {
    return Files.writeString(folder.resolve(name), String.join("some text between\n", blocks));
  }

  private Path chain(Identity identity) throws Exception {
    StringBuilder text = new StringBuilder("Subject: whatever\n");
    for (X509Certificate each : identity.chain()) {
      text.append(pem("CERTIFICATE", each.getEncoded()));
    }
    return file("chain.pem", text.toString());
  }

  /** The key as older tools write it: RFC 8017 for RSA, RFC 5915 for elliptic curves. */
  private static String ownForm(PrivateKey key) throws Exception {
    PrivateKeyInfo info = PrivateKeyInfo.getInstance(key.getEncoded());
    if (key.getAlgorithm().equals("RSA")) {
      return pem("RSA PRIVATE KEY", info.parsePrivateKey().toASN1Primitive().getEncoded());
    }
    ECPrivateKey bare = ECPrivateKey.getInstance(info.parsePrivateKey());
    ECPrivateKey whole =
        new ECPrivateKey(256, bare.getKey(), info.getPrivateKeyAlgorithm().getParameters());
    return pem("EC PARAMETERS", ECNamedCurveTable.getOID("prime256v1").getEncoded())
        + pem("EC PRIVATE KEY", whole.getEncoded());
  }

  @ParameterizedTest
  @CsvSource({"EC,true", "EC,false", "RSA,true", "RSA,false"})
  void keysOfEachFormServe(String algorithm, boolean pkcs8) throws Exception {
    Identity identity = identity(algorithm);
    String key = pkcs8 ? pem("PRIVATE KEY", identity.key().getEncoded()) : ownForm(identity.key());
    Path authority = file("ca.pem", pem("CERTIFICATE", AUTHORITY.certificate().getEncoded()));
    try (TlsWorld world = new TlsWorld(SimNetwork.create())) {
      world.client = new JsseTls(TlsOptions.builder().trust(authority).build());
      world.server = new JsseTls(
          TlsOptions.builder().identity(chain(identity), file("key.pem", key)).build());
      X509Certificate seen = (X509Certificate) world.connect().session().getPeerCertificates()[0];
      assertEquals(identity.chain().getFirst(), seen);
    }
  }

  @Test
  void severalFilesAreTrustedTogether() throws Exception {
    Path stranger = file(
        "stranger.pem",
        pem("CERTIFICATE", new TestCertificates("Nobody").certificate().getEncoded()));
    Path authority = file("ca.pem", pem("CERTIFICATE", AUTHORITY.certificate().getEncoded()));
    try (TlsWorld world = new TlsWorld(SimNetwork.create())) {
      world.client = new JsseTls(TlsOptions.builder().trust(stranger, authority).build());
      world.connect();
      world.client =
          new JsseTls(TlsOptions.builder().trust(stranger).trust(authority).build());
      world.connect();
    }
  }

  private static void assertSays(IOException failure, String... parts) {
    for (String part : parts) {
      assertTrue(failure.getMessage().contains(part), failure.getMessage());
    }
  }

  private IOException refusedTrust(String text) throws IOException {
    Path path = file("trust.pem", text);
    return assertThrows(IOException.class, () -> TlsOptions.builder().trust(path));
  }

  private IOException refusedKey(String text) throws Exception {
    Path certificates = chain(identity("EC"));
    Path key = file("key.pem", text);
    return assertThrows(IOException.class, () -> TlsOptions.builder().identity(certificates, key));
  }

  @Test
  void fileThatIsNotThereIsNamed() {
    Path nowhere = folder.resolve("nowhere.pem");
    IOException failure =
        assertThrows(IOException.class, () -> TlsOptions.builder().trust(nowhere));
    assertSays(failure, "nowhere.pem", "no such file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hello", "-----BEGIN", "\u0000\u0001"})
  void fileWithoutPemIsNamed(String text) throws Exception {
    assertSays(refusedTrust(text), "trust.pem", "no PEM block");
  }

  @Test
  void brokenBlocksAreNamedWithTheirLine() throws Exception {
    assertSays(
        refusedTrust("one\n-----BEGIN CERTIFICATE-----\nAAAA\n"), "trust.pem", "line 2", "no end");
    assertSays(
        refusedTrust("-----BEGIN CERTIFICATE-----\nA!A\n-----END CERTIFICATE-----\n"),
        "trust.pem",
        "line 1",
        "not Base64");
    assertSays(
        refusedTrust("\n\n" + pem("CERTIFICATE", new byte[] {1, 2, 3})),
        "trust.pem",
        "line 3",
        "is broken");
  }

  @Test
  void whatIsMissingIsSaidWithWhatIsThere() throws Exception {
    byte[] key = identity("EC").key().getEncoded();
    assertSays(refusedTrust(pem("PRIVATE KEY", key)), "trust.pem", "no CERTIFICATE", "PRIVATE KEY");
    assertSays(
        refusedKey(pem("CERTIFICATE", AUTHORITY.certificate().getEncoded())),
        "key.pem",
        "no PRIVATE KEY",
        "CERTIFICATE");
  }

  @Test
  void keysThatCannotBeUsedAreSaidToBeSo() throws Exception {
    byte[] key = identity("EC").key().getEncoded();
    assertSays(refusedKey(pem("ENCRYPTED PRIVATE KEY", key)), "key.pem", "encrypted");
    assertSays(
        refusedKey("-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n"
            + "DEK-Info: AES-128-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n"),
        "key.pem",
        "encrypted");
    assertSays(refusedKey(pem("DSA PRIVATE KEY", key)), "key.pem", "DSA PRIVATE KEY");
    for (String label : new String[] {"PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY"}) {
      for (byte[] broken : new byte[][] {{}, {1}, {48, -126, 127, 127}, {48, 3, 2, 1, 1}}) {
        assertSays(refusedKey(pem(label, broken)), "key.pem", label, "line 1", "is broken");
      }
    }
  }

  @Test
  void keyOfAnotherCertificateIsRefused() throws Exception {
    Identity other = identity("EC");
    assertSays(
        refusedKey(pem("PRIVATE KEY", other.key().getEncoded())),
        "key.pem",
        "not that of the first certificate",
        "chain.pem");
    assertSays(
        refusedKey(pem("PRIVATE KEY", identity("RSA").key().getEncoded())),
        "key.pem holds a key for RSA",
        "chain.pem is for EC");
  }
}
