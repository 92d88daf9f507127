package heddle.testkit;

import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.TlsException.Reason;
import heddle.testkit.TestCertificates.Identity;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import heddle.transport.tls.TlsOptions.ClientAuthentication;
import java.io.IOException;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that asks clients for certificates, with clients that show all kinds of them. */
@Timeout(60)
class TlsClientCertificatesTest {
  private static final Identity GOOD = AUTHORITY.identity("me");

  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  private void serve(String version, ClientAuthentication whether) {
    world.server = new JsseTls(TestCertificates.being(AUTHORITY.identity(HOST))
        .trust(List.of(AUTHORITY.certificate()))
        .clientAuthentication(whether)
        .protocols(version)
        .build());
  }

  private static Identity kind(String kind) {
    return switch (kind) {
      case "stranger" -> new TestCertificates("Other Authority").identity("stranger");
      case "expired" -> AUTHORITY.expired("me");
      case "of the future" -> AUTHORITY.notYetValid("me");
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** Why the client's connection fails: in TLS 1.3 after its handshake (RFC 8446 §4.4.2.4). */
  private TlsHandshakeException refusal() throws Exception {
    SecureChannel client;
    try {
      client = world.connect();
    } catch (TlsHandshakeException e) {
      return e;
    }
    RecordingListener heard = new RecordingListener();
    client.start(heard);
    return assertInstanceOf(TlsHandshakeException.class, heard.awaitClosed().orElseThrow());
  }

  private static void assertRefused(IOException failure) {
    TlsHandshakeException refused = assertInstanceOf(TlsHandshakeException.class, failure);
    assertEquals(Reason.CLIENT_CERTIFICATE_REFUSED, refused.reason(), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "TLSv1.3, stranger, NEEDED", "TLSv1.2, stranger, NEEDED",
    "TLSv1.3, expired, NEEDED", "TLSv1.2, expired, NEEDED",
    "TLSv1.3, of the future, NEEDED", "TLSv1.2, of the future, NEEDED",
    "TLSv1.3, stranger, WANTED", "TLSv1.2, stranger, WANTED"
  })
  void certificateThatIsNotTrustedIsRefusedOnBothSides(
      String version, String kind, ClientAuthentication whether) throws Exception {
    serve(version, whether);
    Identity shown = kind(kind);
    world.client =
        new JsseTls(AUTHORITY.trusting().keyManagers(new Insistent(shown)).build());
    assertRefused(refusal());
    IOException atServer = world.serverFailure();
    assertRefused(atServer);
    assertTrue(atServer.getMessage().contains("the client's certificate"), atServer.getMessage());
    // The server goes on with the next client.
    world.client =
        new JsseTls(AUTHORITY.trusting().identity(GOOD.chain(), GOOD.key()).build());
    world.connect();
    assertEquals(GOOD.chain().getFirst(), world.accepted().session().getPeerCertificates()[0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void missingCertificateIsRefusedOnBothSidesIfItIsNeeded(String version) throws Exception {
    serve(version, ClientAuthentication.NEEDED);
    assertRefused(refusal());
    assertRefused(world.serverFailure());
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void missingCertificateIsSeenInTheSessionIfItIsWanted(String version) throws Exception {
    serve(version, ClientAuthentication.WANTED);
    world.connect();
    SecureChannel server = world.accepted();
    assertThrows(SSLPeerUnverifiedException.class, () -> server.session().getPeerCertificates());
  }

  /** Of several, a client shows one that the server's authorities have signed. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void clientChoosesTheCertificateThatTheServerAccepts(String version) throws Exception {
    serve(version, ClientAuthentication.NEEDED);
    Identity stranger = kind("stranger");
    TlsOptions client = AUTHORITY
        .trusting()
        .identity(stranger.chain(), stranger.key())
        .identity(GOOD.chain(), GOOD.key())
        .build();
    world.client = new JsseTls(client);
    world.connect();
    assertEquals(GOOD.chain().getFirst(), world.accepted().session().getPeerCertificates()[0]);
  }

  /** Shows its certificate whatever authorities the server names. */
  private static final class Insistent extends X509ExtendedKeyManager {
    private static final String ALIAS = "me";

    private final Identity identity;

    Insistent(Identity identity) {
      this.identity = identity;
    }

    @Override
    public String chooseEngineClientAlias(String[] types, Principal[] issuers, SSLEngine engine) {
      return ALIAS;
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return ALIAS;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return identity.chain().toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return identity.key();
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[] {ALIAS};
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return null;
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return null;
    }
  }
}
