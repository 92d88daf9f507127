package heddle.testkit;

import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import heddle.transport.tls.TlsOptions.ClientAuthentication;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Key managers and trust managers that somebody else has made. */
@Timeout(60)
class TlsManagersTest {
  private static final char[] PASSWORD = {'x'};

  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  private static KeyStore empty() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static TrustManager[] trusting(TestCertificates authority) throws Exception {
    KeyStore store = empty();
    store.setCertificateEntry("ca", authority.certificate());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  private static KeyManager[] being(TestCertificates.Identity identity) throws Exception {
    KeyStore store = empty();
    store.setKeyEntry(
        "me", identity.key(), PASSWORD, identity.chain().toArray(X509Certificate[]::new));
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(store, PASSWORD);
    return factory.getKeyManagers();
  }

  @Test
  void trustManagersDecideWhomAClientTrusts() throws Exception {
    world.client =
        new JsseTls(TlsOptions.builder().trustManagers(trusting(AUTHORITY)).build());
    assertEquals("TLSv1.3", world.pair().client().session().getProtocol());
    TestCertificates other = new TestCertificates("Other");
    world.client =
        new JsseTls(TlsOptions.builder().trustManagers(trusting(other)).build());
    world.refusal();
    world.serverFailure();
  }

  @Test
  void trustManagersStillWantACertificateForTheHost() throws Exception {
    world.server =
        new JsseTls(TestCertificates.being(AUTHORITY.identity("b.test")).build());
    world.client =
        new JsseTls(TlsOptions.builder().trustManagers(trusting(AUTHORITY)).build());
    world.refusal();
    world.serverFailure();
  }

  @Test
  void keyManagersChooseTheCertificateToShow() throws Exception {
    world.server = new JsseTls(TestCertificates.being(AUTHORITY.identity(HOST))
        .trust(List.of(AUTHORITY.certificate()))
        .clientAuthentication(ClientAuthentication.NEEDED)
        .build());
    TestCertificates.Identity me = AUTHORITY.identity("client.test");
    TlsOptions options = TlsOptions.builder()
        .trustManagers(trusting(AUTHORITY))
        .keyManagers(being(me))
        .build();
    assertTrue(options.hasIdentity());
    world.client = new JsseTls(options);
    assertEquals(me.chain().getFirst(), world.pair().server().session().getPeerCertificates()[0]);
  }

  @Test
  void keyManagersGoWithTrustInEverything() throws Exception {
    world.server = new JsseTls(
        TestCertificates.being(new TestCertificates("Nobody").identity("b.test"))
            .build());
    world.client = new JsseTls(TlsOptions.builder()
        .keyManagers(being(AUTHORITY.identity("client.test")))
        .insecureTrustEverything()
        .build());
    assertEquals("TLSv1.3", world.pair().client().session().getProtocol());
  }

  @Test
  void managersAndWhatContradictsThemAreRefused() throws Exception {
    TrustManager[] trust = trusting(AUTHORITY);
    KeyManager[] keys = being(AUTHORITY.identity(HOST));
    TestCertificates.Identity me = AUTHORITY.identity(HOST);
    for (TlsOptions.Builder contradiction : List.of(
        TlsOptions.builder().trustManagers(trust).insecureTrustEverything(),
        TlsOptions.builder().trustManagers(trust).trust(List.of(AUTHORITY.certificate())),
        TlsOptions.builder().keyManagers(keys).identity(me.chain(), me.key()),
        TlsOptions.builder().keyManagers(keys).context(javax.net.ssl.SSLContext.getDefault()),
        TlsOptions.builder().trustManagers(trust).context(javax.net.ssl.SSLContext.getDefault()))) {
      assertThrows(IllegalStateException.class, contradiction::build);
    }
  }
}
