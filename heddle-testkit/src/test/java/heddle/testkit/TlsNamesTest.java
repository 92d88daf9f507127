package heddle.testkit;

import static heddle.testkit.TlsWorld.AUTHORITY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.testkit.TestCertificates.Identity;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server with several certificates shows the one for the name that the client asks for. */
@Timeout(60)
class TlsNamesTest {
  private static final KeyPair RSA = TestCertificates.rsaKeys(2048);
  private static final Identity FIRST = AUTHORITY.identity("a.test", "127.0.0.1");
  private static final Identity SECOND = AUTHORITY.identity(RSA, "second", "b.test", "*.b.test");
  private static final Identity THIRD = AUTHORITY.identity("c.b.test", "*.com");
  private static final Identity FOURTH = AUTHORITY.identity(RSA, "fourth", "a.test");

  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  /** The signatures that the client knows; the JDK's if null. */
  private String[] schemes;

  /** Accepts every trusted server. */
  private final class Check implements TlsOptions.ServerCheck {
    @Override
    public void configure(SSLEngine engine) {
      SSLParameters parameters = engine.getSSLParameters();
      parameters.setSignatureSchemes(schemes);
      engine.setSSLParameters(parameters);
    }

    @Override
    public void verify(SSLEngine engine) {}
  }

  private static TlsOptions.Builder serving(Identity... identities) {
    TlsOptions.Builder options = TlsOptions.builder();
    for (Identity each : identities) {
      options.identity(each.chain(), each.key());
    }
    return options;
  }

  /** What a client that accepts any host is shown. */
  private X509Certificate shown(TlsOptions.Builder client, String host) throws Exception {
    TlsOptions trustful = client
        .hostNamesByTrustManagers()
        .serverChecks((name, port) -> new Check())
        .build();
    var channel =
        new JsseTls(trustful).connect(world.connectPlain(), host, 443, List.of(), world.soon());
    world.accepted();
    return (X509Certificate) channel.session().getPeerCertificates()[0];
  }

  private void assertShown(Identity expected, TlsOptions.Builder client, String host)
      throws Exception {
    assertEquals(expected.chain().getFirst(), shown(client, host), host);
  }

  static Stream<String> versions() {
    return Stream.of("TLSv1.3", "TLSv1.2");
  }

  @ParameterizedTest
  @CsvSource({
    "a.test, 1", "A.Test, 1", "b.test, 2", "x.b.test, 2", "c.b.test, 3", "C.B.TEST, 3",
    // no certificate is for these: the first is the default
    "z.test, 1", "x.y.b.test, 1", "x.com, 1", "127.0.0.1, 1", "127.0.0.2, 1", "x.c.b.test, 1"
  })
  void certificateIsThatOfTheName(String host, int expected) throws Exception {
    Identity wanted = List.of(FIRST, SECOND, THIRD).get(expected - 1);
    for (String version : versions().toList()) {
      world.server =
          new JsseTls(serving(FIRST, SECOND, THIRD).protocols(version).build());
      assertShown(wanted, AUTHORITY.trusting(), host);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.test", "b.test", "x.b.test", "c.b.test", "127.0.0.1"})
  void clientsThatCheckTheHostAccept(String host) throws Exception {
    world.server = new JsseTls(serving(FIRST, SECOND, THIRD).build());
    world.client.connect(world.connectPlain(), host, 443, List.of(), world.soon());
    world.accepted();
  }

  @Test
  void addressMayBeCalledByAName() throws Exception {
    world.server = new JsseTls(serving(FIRST, SECOND).build());
    assertShown(
        SECOND,
        AUTHORITY.trusting().namesOfAddresses(List.of(new SNIHostName("b.test"))),
        "127.0.0.9");
  }

  @Test
  void allOfAKeyStoreAreShownByName() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    char[] password = "secret".toCharArray();
    store.load(null, null);
    for (Identity each : List.of(FIRST, SECOND, THIRD)) {
      store.setKeyEntry(
          each.chain().getFirst().getSerialNumber().toString(),
          each.key(),
          password,
          each.chain().toArray(X509Certificate[]::new));
    }
    store.setCertificateEntry("authority", AUTHORITY.certificate());
    world.server = new JsseTls(TlsOptions.builder().identity(store, password).build());
    assertShown(SECOND, AUTHORITY.trusting(), "b.test");
    assertShown(THIRD, AUTHORITY.trusting(), "c.b.test");
    TlsOptions.Builder options = TlsOptions.builder();
    assertThrows(
        IllegalArgumentException.class, () -> options.identity(store, "wrong".toCharArray()));
  }

  // ---- types of keys

  /** Of two for one name, and without a name, the client's preference decides. */
  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, ECDHE, a.test", "TLSv1.3, ECDHE, z.test",
    "TLSv1.2, ECDHE_ECDSA, a.test", "TLSv1.2, ECDHE_ECDSA, z.test",
    "TLSv1.2, ECDHE_RSA, a.test", "TLSv1.2, ECDHE_RSA, z.test"
  })
  void oneOfTwoTypesOfKeysIsShownForAName(String version, String suites, String host)
      throws Exception {
    TlsOptions.Builder client = AUTHORITY.trusting().protocols(version);
    if (version.equals("TLSv1.2")) {
      client.cipherSuites("TLS_" + suites + "_WITH_AES_128_GCM_SHA256");
    }
    Identity expected = suites.equals("ECDHE_RSA") ? FOURTH : FIRST;
    world.server = new JsseTls(serving(FIRST, SECOND, FOURTH).build());
    assertShown(expected, client, host);
    world.server = new JsseTls(serving(FOURTH, SECOND, FIRST).build());
    assertShown(expected, client, host);
  }

  /** JSSE asks for EC keys first: none is shown that is for another name. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void typeThatComesFirstIsNotPreferredToTheName(String version) throws Exception {
    TlsOptions.Builder client = AUTHORITY.trusting().protocols(version);
    world.server = new JsseTls(serving(SECOND, THIRD, FIRST).build());
    assertShown(SECOND, client, "b.test");
    assertShown(SECOND, AUTHORITY.trusting().protocols(version), "z.test");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void certificateWhoseSignatureTheClientDoesNotKnowIsPassedOver(String version) throws Exception {
    TestCertificates authority = new TestCertificates("RSA authority", AUTHORITY, RSA);
    Identity elliptic = authority.identity("a.test");
    Identity other = authority.identity(RSA, "other", "b.test");
    world.server = new JsseTls(serving(elliptic, other).build());
    TlsOptions.Builder client = authority.trusting().protocols(version);
    assertShown(elliptic, client, "a.test");
    schemes = new String[] {"rsa_pss_rsae_sha256", "rsa_pkcs1_sha256"};
    assertShown(other, authority.trusting().protocols(version), "a.test");
  }

  // ---- resumption

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void sessionsOfOneNameAreNotThoseOfAnother(String version) throws Exception {
    world.server = new JsseTls(serving(FIRST, SECOND).protocols(version).build());
    TlsOptions.Builder client = AUTHORITY.trusting();
    for (int i = 0; i < 2; i++) {
      assertShown(FIRST, client, "a.test");
      assertShown(SECOND, client, "b.test");
    }
  }
}
