package heddle.testkit;

import static heddle.testkit.ChannelWorld.text;
import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.TlsException.Reason;
import heddle.transport.TlsHandshakeException;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import java.net.Socket;
import java.security.KeyPair;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a server's certificate that is trusted: RFC 9525, and keys that last. */
@Timeout(60)
@DisplayName("Promise 17: TLS as it should be")
class TlsCertificateRulesTest {
  /** What a server sends at least in a handshake with a certificate. */
  private static final int LEAST_WITH_CERTIFICATE = 600;

  /** Making such keys takes long. */
  private static final KeyPair LONG = TestCertificates.rsaKeys(2048);

  private static final KeyPair ALSO_LONG = TestCertificates.rsaKeys(2048);

  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  /** Which option makes a client trust a server. */
  enum Trust {
    AUTHORITIES,
    MANAGERS,
    DELEGATING,
    CONTEXT;

    TlsOptions.Builder options() throws Exception {
      TrustManager[] managers = managers();
      return switch (this) {
        case AUTHORITIES -> AUTHORITY.trusting();
        case MANAGERS -> TlsOptions.builder().trustManagers(managers);
        case DELEGATING ->
          TlsOptions.builder().trustManagers(new Delegating((X509TrustManager) managers[0]));
        case CONTEXT -> TlsOptions.builder().context(context());
      };
    }

    static SSLContext context() throws Exception {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers(), null);
      return context;
    }

    private static TrustManager[] managers() throws Exception {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setCertificateEntry("ca", AUTHORITY.certificate());
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      return factory.getTrustManagers();
    }
  }

  /** As one that logs or pins may be: it knows nothing of hosts. */
  private static final class Delegating extends X509ExtendedTrustManager {
    private final X509TrustManager manager;

    Delegating(X509TrustManager manager) {
      this.manager = manager;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      manager.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      manager.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      manager.checkServerTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType)
        throws CertificateException {
      manager.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
        throws CertificateException {
      manager.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
        throws CertificateException {
      manager.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return manager.getAcceptedIssuers();
    }
  }

  static Stream<TlsOptions.Builder> trusts() throws Exception {
    return Stream.of(
        Trust.AUTHORITIES.options(),
        Trust.MANAGERS.options(),
        Trust.DELEGATING.options(),
        Trust.CONTEXT.options());
  }

  private void serve(TestCertificates.Identity identity) {
    world.server = new JsseTls(TestCertificates.being(identity).build());
  }

  private void connectTo(String host) throws Exception {
    world.client.connect(world.connectPlain(), host, 443, List.of(), world.soon());
  }

  private void assertRefused(String host, Reason reason, String... parts) throws Exception {
    assertFails(host, reason, parts);
    world.serverFailure(); // It has not become a connection there either.
  }

  private void assertFails(String host, Reason reason, String... parts) {
    TlsHandshakeException failure =
        assertThrows(TlsHandshakeException.class, () -> connectTo(host));
    assertEquals(reason, failure.reason(), failure.toString());
    for (String part : parts) {
      assertTrue(failure.getMessage().contains(part), failure.getMessage());
    }
  }

  @ParameterizedTest
  @EnumSource(Trust.class)
  void commonNameIsNoHost(Trust trust) throws Exception {
    world.client = new JsseTls(trust.options().build());
    serve(AUTHORITY.identity(TestCertificates.newKeys("EC"), HOST));
    assertRefused(HOST, Reason.WRONG_HOST, "not for " + HOST, "no host at all", "RFC 9525");
  }

  @ParameterizedTest
  @EnumSource(Trust.class)
  void wildcardIsAWholeLabel(Trust trust) throws Exception {
    world.client = new JsseTls(trust.options().build());
    serve(AUTHORITY.identity("f*.example.test"));
    assertRefused("foo.example.test", Reason.WRONG_HOST, "f*.example.test", "whole first label");
    serve(AUTHORITY.identity("*.example.test"));
    connectTo("foo.example.test");
    world.accepted();
  }

  @ParameterizedTest
  @EnumSource(Trust.class)
  void addressIsNoName(Trust trust) throws Exception {
    world.client = new JsseTls(trust.options().build());
    serve(AUTHORITY.identity(TestCertificates.newKeys("EC"), "127.0.0.1"));
    assertRefused("127.0.0.1", Reason.WRONG_HOST, "127.0.0.1");
    serve(AUTHORITY.identity("127.0.0.1", "::1"));
    connectTo("127.0.0.1");
    world.accepted();
    connectTo("::1");
    world.accepted();
  }

  /** A lenient client has left a session behind in the context that both use. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void resumedSessionIsCheckedToo(String version) throws Exception {
    SSLContext context = Trust.context();
    TestCertificates.Identity commonName = AUTHORITY.identity(TestCertificates.newKeys("EC"), HOST);
    world.server =
        new JsseTls(TestCertificates.being(commonName).protocols(version).build());
    world.client = new JsseTls(
        TlsOptions.builder().context(context).hostNamesByTrustManagers().build());
    TlsWorld.Pair lenient = world.pair();
    lenient.server().write(text("x"), world.soon());
    lenient.atClient().awaitText("x"); // What lets it be resumed has come before.
    world.client = new JsseTls(TlsOptions.builder().context(context).build());
    assertRefused(HOST, Reason.WRONG_HOST, "not for " + HOST, "RFC 9525");
    long sent = ((SimNetwork) world.network).connections().getLast().written(Direction.TO_CLIENT);
    // The tickets of Java 21 are as long as a certificate.
    boolean longTickets = Runtime.version().feature() < 25;
    assertTrue(
        longTickets || sent < LEAST_WITH_CERTIFICATE, sent + " bytes are not of a session resumed");
  }

  @ParameterizedTest
  @MethodSource("trusts")
  void namesCanBeLeftToTheTrustManagers(TlsOptions.Builder trust) throws Exception {
    world.client = new JsseTls(trust.hostNamesByTrustManagers().build());
    serve(AUTHORITY.identity(TestCertificates.newKeys("EC"), HOST));
    connectTo(HOST);
    world.accepted();
  }

  // ---- a user's own check

  /** In each handshake, also one that resumes a session, which a refused one does not leave. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void aUsersCheckDecidesInsteadOfTheNames(String version) throws Exception {
    TestCertificates.Identity other = AUTHORITY.identity("other.test");
    world.server = new JsseTls(TestCertificates.being(other).protocols(version).build());
    List<String> asked = new ArrayList<>();
    AtomicBoolean accepts = new AtomicBoolean();
    world.client = new JsseTls(AUTHORITY
        .trusting()
        .serverChecks((host, port) -> engine -> {
          asked.add(host + ":" + port);
          if (engine.getSession().getPeerCertificates().length == 0 || !accepts.get()) {
            throw new SSLException("not this one");
          }
        })
        .build());
    assertFails(HOST, Reason.OTHER, "not this one");
    if (version.equals("TLSv1.2")) {
      world.accepted(); // The last message of the handshake is the server's.
    } else {
      world.serverFailure();
    }
    accepts.set(true);
    connectTo(HOST);
    world.accepted();
    accepts.set(false);
    assertRefused(HOST, Reason.OTHER, "not this one");
    assertEquals(Collections.nCopies(3, HOST + ":443"), asked);
  }

  @Test
  void aCheckThatThrowsRefusesTheServer() throws Exception {
    world.client = new JsseTls(AUTHORITY
        .trusting()
        .serverChecks((host, port) -> engine -> {
          throw new IllegalStateException("broken");
        })
        .build());
    serve(AUTHORITY.identity(HOST));
    assertRefused(HOST, Reason.OTHER, "verifying the server " + HOST + ":443 failed");
  }

  @Test
  void aCheckDoesNotMakeAServerTrusted() throws Exception {
    world.client = new JsseTls(
        TlsOptions.builder().serverChecks((host, port) -> engine -> {}).build());
    serve(AUTHORITY.identity(HOST));
    assertRefused(HOST, Reason.UNKNOWN_AUTHORITY);
  }

  @Test
  void aServerMustHaveTheNameThatIsSentForItsHost() throws Exception {
    world.client =
        new JsseTls(AUTHORITY.trusting().serverName(HOST, "other.test").build());
    serve(AUTHORITY.identity(HOST));
    assertRefused(HOST, Reason.WRONG_HOST, "other.test");
    serve(AUTHORITY.identity("other.test"));
    connectTo(HOST);
    world.accepted();
    assertRefused("third.test", Reason.WRONG_HOST, "third.test");
  }

  // ---- keys

  @ParameterizedTest
  @EnumSource(Trust.class)
  void shortKeyOfTheServerIsRefused(Trust trust) throws Exception {
    serve(AUTHORITY.identity(TestCertificates.rsaKeys(1024), HOST, HOST));
    world.client = new JsseTls(trust.options().build());
    assertRefused(HOST, Reason.SHORT_KEY, "CN=" + HOST, "1024 bits", "2048", "allowShortRsaKeys");
    world.client = new JsseTls(trust.options().allowShortRsaKeys().build());
    connectTo(HOST);
    world.accepted();
  }

  @ParameterizedTest
  @EnumSource(Trust.class)
  void shortKeyOfAnIntermediateIsRefused(Trust trust) throws Exception {
    KeyPair weak = TestCertificates.rsaKeys(1024);
    serve(new TestCertificates("Below", AUTHORITY, weak).identity(HOST));
    world.client = new JsseTls(trust.options().build());
    assertRefused(HOST, Reason.SHORT_KEY, "CN=Below", "1024 bits");
  }

  /** It has its issuer's name, and not its key. */
  @ParameterizedTest
  @EnumSource(Trust.class)
  void shortKeyOfASelfIssuedIntermediateIsRefused(Trust trust) throws Exception {
    KeyPair weak = TestCertificates.rsaKeys(1024);
    serve(new TestCertificates("Test Authority", AUTHORITY, weak).identity(HOST));
    world.client = new JsseTls(trust.options().build());
    assertRefused(HOST, Reason.SHORT_KEY, "CN=Test Authority", "1024 bits");
  }

  @ParameterizedTest
  @EnumSource(Trust.class)
  void longKeysServe(Trust trust) throws Exception {
    serve(new TestCertificates("Below", AUTHORITY, LONG).identity(ALSO_LONG, HOST, HOST));
    world.client = new JsseTls(trust.options().build());
    connectTo(HOST);
    world.accepted();
  }
}
