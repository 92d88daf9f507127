package heddle.testkit;

import static heddle.testkit.ChannelWorld.text;
import static heddle.testkit.TlsWorld.AUTHORITY;
import static heddle.testkit.TlsWorld.HOST;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.failure.TlsException.Reason;
import heddle.transport.Channel;
import heddle.transport.SecureChannel;
import heddle.transport.TlsHandshakeException;
import heddle.transport.tls.JsseTls;
import heddle.transport.tls.TlsOptions;
import heddle.transport.tls.TlsOptions.ClientAuthentication;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each way in which a handshake can fail: its reason, and a message that helps. */
@Timeout(60)
class TlsFailuresTest {
  @AutoClose
  private final TlsWorld world = new TlsWorld(SimNetwork.create());

  static Reason reason(IOException failure) {
    return assertInstanceOf(TlsHandshakeException.class, failure).reason();
  }

  private static void assertSays(IOException failure, Reason reason, String... parts) {
    assertEquals(reason, reason(failure), failure.toString());
    for (String part : parts) {
      assertTrue(failure.getMessage().contains(part), failure.getMessage());
    }
  }

  private void serve(TestCertificates.Identity identity) {
    world.server = new JsseTls(TestCertificates.being(identity).build());
  }

  // ---- the server's certificate

  @Test
  void unknownAuthorityIsNamed() throws Exception {
    serve(new TestCertificates("Nobody").identity(HOST));
    assertSays(world.refusal(), Reason.UNKNOWN_AUTHORITY, HOST + ":443", "CN=" + HOST, "CN=Nobody");
    assertSays(world.serverFailure(), Reason.UNKNOWN_AUTHORITY, "certificate_unknown");
  }

  @Test
  void theJdksAuthoritiesAreTrustedByDefaultAndNoOthers() {
    world.client = new JsseTls(TlsOptions.defaults());
    assertSays(world.refusal(), Reason.UNKNOWN_AUTHORITY, "CN=Test Authority");
  }

  @Test
  void expiredCertificateIsNamedWithItsTimes() {
    serve(AUTHORITY.expired(HOST));
    assertSays(world.refusal(), Reason.EXPIRED, HOST + ":443", "expired", "valid from", " to ");
  }

  @Test
  void certificateOfTheFutureIsNamedWithItsTimes() {
    serve(AUTHORITY.notYetValid(HOST));
    assertSays(world.refusal(), Reason.NOT_YET_VALID, HOST + ":443", "not valid yet", "valid from");
  }

  @ParameterizedTest
  @ValueSource(strings = {"b.test", "x.a.test", "127.0.0.1"})
  void certificateForAnotherHostNamesBoth(String other) {
    serve(AUTHORITY.identity(other, "c.test"));
    assertSays(world.refusal(), Reason.WRONG_HOST, "not for " + HOST, other, "c.test");
  }

  @Test
  void addressNeedsACertificateForIt() {
    TlsHandshakeException failure = assertThrows(
        TlsHandshakeException.class,
        () ->
            world.client.connect(world.connectPlain(), "127.0.0.1", 443, List.of(), world.soon()));
    assertSays(failure, Reason.WRONG_HOST, "not for 127.0.0.1", HOST);
  }

  @Test
  void trustingEverythingAcceptsEvenThese() throws Exception {
    world.client = new JsseTls(TlsOptions.builder().insecureTrustEverything().build());
    serve(new TestCertificates("Nobody").expired("b.test"));
    world.connect();
    world.accepted();
  }

  // ---- no agreement

  @Test
  void noCommonVersionNamesWhatWasOffered() throws Exception {
    world.client = new JsseTls(AUTHORITY.trusting().protocols("TLSv1.3").build());
    world.server = new JsseTls(
        TestCertificates.being(AUTHORITY.identity(HOST)).protocols("TLSv1.2").build());
    assertSays(world.refusal(), Reason.NO_COMMON_VERSION, HOST, "TLSv1.3", "protocol_version");
    assertSays(world.serverFailure(), Reason.NO_COMMON_VERSION, "TLSv1.2");
    world.client = new JsseTls(AUTHORITY.trusting().protocols("TLSv1.2").build());
    world.server = new JsseTls(
        TestCertificates.being(AUTHORITY.identity(HOST)).protocols("TLSv1.3").build());
    assertSays(world.refusal(), Reason.NO_COMMON_VERSION, HOST, "TLSv1.2", "protocol_version");
    assertSays(world.serverFailure(), Reason.NO_COMMON_VERSION, "TLSv1.3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void noCommonCipherNamesWhatWasOffered(String version) throws Exception {
    boolean latest = version.equals("TLSv1.3");
    String mine = latest ? "TLS_AES_128_GCM_SHA256" : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
    String yours = latest ? "TLS_AES_256_GCM_SHA384" : "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    world.client =
        new JsseTls(AUTHORITY.trusting().protocols(version).cipherSuites(mine).build());
    world.server = new JsseTls(TestCertificates.being(AUTHORITY.identity(HOST))
        .protocols(version)
        .cipherSuites(yours)
        .build());
    assertSays(world.refusal(), Reason.NO_COMMON_CIPHER, HOST, mine, "handshake_failure");
    assertSays(world.serverFailure(), Reason.NO_COMMON_CIPHER, yours);
  }

  @Test
  void noCommonProtocolNamesWhatWasOffered() throws Exception {
    world.serverProtocols = List.of("http/1.1");
    assertSays(world.refusal("h2"), Reason.NO_COMMON_PROTOCOL, HOST, "none of h2");
    assertSays(world.serverFailure(), Reason.NO_COMMON_PROTOCOL, "http/1.1");
  }

  // ---- client certificates

  private void demand(String version) {
    world.server = new JsseTls(TestCertificates.being(AUTHORITY.identity(HOST))
        .trust(List.of(AUTHORITY.certificate()))
        .clientAuthentication(ClientAuthentication.NEEDED)
        .protocols(version)
        .build());
  }

  @Test
  void missingCertificateFailsTheHandshakeOfTls12() throws Exception {
    demand("TLSv1.2");
    assertSays(
        world.refusal(), Reason.CLIENT_CERTIFICATE_REFUSED, HOST + ":443", "wants a certificate");
    assertSays(world.serverFailure(), Reason.CLIENT_CERTIFICATE_REFUSED);
  }

  /** RFC 8446 §4.4.2.4: the client's handshake is over before the server has seen its answer. */
  @Test
  void missingCertificateIsToldOfAfterTheHandshakeOfTls13() throws Exception {
    demand("TLSv1.3");
    RecordingListener heard = new RecordingListener();
    world.connect().start(heard);
    assertSays(
        heard.awaitClosed().orElseThrow(),
        Reason.CLIENT_CERTIFICATE_REFUSED,
        "wants a certificate");
    assertSays(world.serverFailure(), Reason.CLIENT_CERTIFICATE_REFUSED);
  }

  @Test
  void refusalReachesAClientThatHasSentMoreMeanwhile() throws Exception {
    demand("TLSv1.3");
    for (int i = 0; i < 10; i++) {
      RecordingListener heard = new RecordingListener();
      SecureChannel client = world.connect();
      FutureTask<Boolean> write = ChannelWorld.onVirtualThread(
          () -> client.write(ByteBuffer.allocate(50_000), world.soon()));
      client.start(heard);
      assertSays(heard.awaitClosed().orElseThrow(), Reason.CLIENT_CERTIFICATE_REFUSED);
      world.serverFailure();
      write.cancel(true);
    }
  }

  @Test
  void certificateOfAnUnknownAuthorityIsRefused() throws Exception {
    demand("TLSv1.3");
    TestCertificates.Identity stranger = new TestCertificates("Nobody").identity("stranger");
    world.client = new JsseTls(
        AUTHORITY.trusting().identity(stranger.chain(), stranger.key()).build());
    RecordingListener heard = new RecordingListener();
    world.connect().start(heard);
    // The client keeps it to itself when none of its own is signed by whom the server asks for.
    assertSays(heard.awaitClosed().orElseThrow(), Reason.CLIENT_CERTIFICATE_REFUSED);
    assertSays(world.serverFailure(), Reason.CLIENT_CERTIFICATE_REFUSED);
  }

  // ---- not TLS

  @Test
  void plainHttpFromTheServerIsRecognised() throws Exception {
    world.server = null;
    FutureTask<TlsHandshakeException> connect = new FutureTask<>(() -> world.refusal());
    Thread.ofVirtual().start(connect);
    Channel plain = world.acceptedPlain();
    plain.write(text("HTTP/1.1 400 Bad Request\r\n\r\n"), world.soon());
    assertSays(connect.get(), Reason.NOT_TLS, HOST + ":443", "HTTP/1.1 400", "plain HTTP");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SSH-2.0-x\r\n",
        "\u0016\u0002\u0000\u0000\u0001x",
        "\u0000\u0000\u0000\u0000\u0000\u0000"
      })
  void whateverElseIsNotTlsIsSaidToBeNone(String bytes) throws Exception {
    world.server = null;
    FutureTask<TlsHandshakeException> connect = new FutureTask<>(() -> world.refusal());
    Thread.ofVirtual().start(connect);
    world.acceptedPlain().write(text(bytes), world.soon());
    assertSays(connect.get(), Reason.NOT_TLS, HOST + ":443", "not TLS");
  }

  @Test
  void plainHttpFromAClientIsRecognised() throws Exception {
    Channel plain = world.connectPlain();
    plain.write(text("GET / HTTP/1.1\r\n\r\n"), world.soon());
    assertSays(world.serverFailure(), Reason.NOT_TLS, "GET / HTTP/1.1", "plain HTTP");
  }

  @Test
  void recordLongerThanAnyMayBeIsNoRecord() throws Exception {
    Channel plain = world.connectPlain();
    plain.write(text("\u0016\u0003\u0001\u00ff\u00ff"), world.soon());
    assertSays(world.serverFailure(), Reason.NOT_TLS);
  }

  // ---- cut off

  /** Cut at each byte that the server sends: never anything but a truncated handshake. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void handshakeThatIsCutAnywhereIsTruncated(String version) throws Exception {
    world.client = new JsseTls(AUTHORITY.trusting().protocols(version).build());
    SimNetwork network = (SimNetwork) world.network;
    world.connect();
    world.accepted();
    long whole = network.connections().getLast().delivered(Direction.TO_CLIENT);
    // The last bytes may be tickets, which come after the handshake; those of Java 21 are longer.
    long end = whole - (Runtime.version().feature() >= 25 ? 400 : 1_500);
    for (long cut = 0; cut < end; cut += 1 + cut / 10) {
      // A new context, so that no session is resumed.
      world.client = new JsseTls(AUTHORITY.trusting().protocols(version).build());
      long at = cut;
      Cut how = cut % 2 == 0 ? Cut.END : Cut.RESET;
      network.onConnection(c -> c.cutAfterBytes(Direction.TO_CLIENT, at, how));
      TlsHandshakeException failure = world.refusal();
      assertEquals(Reason.TRUNCATED, failure.reason(), "cut at " + cut + ": " + failure);
      assertTrue(failure.getMessage().contains("sent " + cut + " bytes"), failure.getMessage());
      world.serverFailure();
    }
  }

  @Test
  void optionsWithoutMeaningAreRefused() {
    TlsOptions.Builder both = AUTHORITY.trusting().insecureTrustEverything();
    assertThrows(IllegalStateException.class, both::build);
    TlsOptions.Builder unknown = TlsOptions.builder().protocols("TLSv1.9");
    String message =
        assertThrows(IllegalArgumentException.class, unknown::build).getMessage();
    assertTrue(message.contains("TLSv1.9") && message.contains("TLSv1.3"), message);
    assertNull(TlsOptions.defaults().hasIdentity() ? "an identity" : null);
  }
}
