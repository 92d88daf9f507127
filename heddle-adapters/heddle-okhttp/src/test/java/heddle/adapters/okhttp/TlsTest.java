package heddle.adapters.okhttp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.HostnameVerifier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okhttp3.CertificatePinner;
import okhttp3.ConnectionSpec;
import okhttp3.Handshake;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.TlsVersion;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls over TLS. */
@Timeout(60)
class TlsTest {
  private static final HeldCertificate AUTHORITY =
      new HeldCertificate.Builder().certificateAuthority(0).build();
  private static final HeldCertificate LOCALHOST = new HeldCertificate.Builder()
      .addSubjectAlternativeName("localhost")
      .signedBy(AUTHORITY)
      .build();

  private static final HeldCertificate KNOWN =
      new HeldCertificate.Builder().commonName("known").signedBy(AUTHORITY).build();

  @AutoClose
  private final MockWebServer server = PromptServer.create();

  @BeforeEach
  void startServer() throws IOException {
    server.useHttps(held().sslSocketFactory());
    server.start();
    server.enqueue(new MockResponse.Builder().body("safe").build());
  }

  private static HandshakeCertificates held() {
    return new HandshakeCertificates.Builder()
        .heldCertificate(LOCALHOST)
        .addTrustedCertificate(AUTHORITY.certificate())
        .build();
  }

  private static OkHttpClient.Builder trusting() {
    HandshakeCertificates trusted = new HandshakeCertificates.Builder()
        .addTrustedCertificate(AUTHORITY.certificate())
        .build();
    return new OkHttpClient.Builder()
        .sslSocketFactory(trusted.sslSocketFactory(), trusted.trustManager());
  }

  private HttpUrl url(String host) {
    return server.url("/").newBuilder().host(host).build();
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theHandshakeIsThatOfTheConnection(Stack stack) throws Exception {
    server.enqueue(new MockResponse.Builder().body("again").build());
    Diary diary = new Diary();
    try (Stack.Running running = stack.over(trusting().eventListener(diary))) {
      for (String body : List.of("safe", "again")) {
        try (Response response = running.get(url("localhost"))) {
          assertEquals(body, response.body().string());
          assertEquals(Protocol.HTTP_2, response.protocol());
          Handshake handshake = response.handshake();
          assertNotNull(handshake);
          assertEquals(TlsVersion.TLS_1_3, handshake.tlsVersion());
          assertEquals(LOCALHOST.certificate(), handshake.peerCertificates().getFirst());
        }
      }
    }
    assertEquals(
        List.of("secureConnectStart", "secureConnectEnd TLS_1_3", "connectEnd h2"),
        diary.entries.stream()
            .filter(each -> each.startsWith("secure") || each.startsWith("connectEnd"))
            .toList());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void http11IsUsedIfNothingElseIsAllowed(Stack stack) throws Exception {
    try (Stack.Running running = stack.over(trusting().protocols(List.of(Protocol.HTTP_1_1)));
        Response response = running.get(url("localhost"))) {
      assertEquals(Protocol.HTTP_1_1, response.protocol());
      assertNotNull(response.handshake());
      assertEquals("safe", response.body().string());
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void theVersionsOfTheSpecificationAreSpoken(Stack stack) throws Exception {
    ConnectionSpec older = new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
        .tlsVersions(TlsVersion.TLS_1_2)
        .build();
    try (Stack.Running running = stack.over(trusting().connectionSpecs(List.of(older)));
        Response response = running.get(url("localhost"))) {
      Handshake handshake = response.handshake();
      assertNotNull(handshake);
      assertEquals(TlsVersion.TLS_1_2, handshake.tlsVersion());
    }
  }

  @ParameterizedTest
  @EnumSource
  void anUntrustedServerIsRefused(Stack stack) throws Exception {
    try (Stack.Running running = stack.start()) {
      assertThrows(SSLHandshakeException.class, () -> running.get(url("localhost")));
    }
    assertEquals(0, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aCertificateForAnotherHostIsRefused(Stack stack) throws Exception {
    try (Stack.Running running = stack.over(trusting())) {
      SSLPeerUnverifiedException refusal =
          assertThrows(SSLPeerUnverifiedException.class, () -> running.get(url("127.0.0.1")));
      assertBegins("Hostname 127.0.0.1 not verified:", refusal);
    }
    assertEquals(0, server.getRequestCount());
  }

  /** The JDK's own check would take both for good. */
  @ParameterizedTest
  @CsvSource({
    "STOCK, common name", "FACTORY, common name", "INTERCEPTOR, common name",
    "STOCK, f*.test.invalid", "FACTORY, f*.test.invalid", "INTERCEPTOR, f*.test.invalid"
  })
  void onlyASubjectAltNameOrAWholeLabelNamesTheHost(Stack stack, String name) throws Exception {
    HeldCertificate.Builder held = new HeldCertificate.Builder().signedBy(AUTHORITY);
    if (name.startsWith("f*")) {
      held.addSubjectAlternativeName(name);
    } else {
      held.commonName("foo.test.invalid");
    }
    HandshakeCertificates certificates =
        new HandshakeCertificates.Builder().heldCertificate(held.build()).build();
    try (MockWebServer other = PromptServer.create()) {
      other.useHttps(certificates.sslSocketFactory());
      other.start();
      HttpUrl url = other.url("/").newBuilder().host("foo.test.invalid").build();
      OkHttpClient.Builder client =
          trusting().dns(host -> List.of(InetAddress.getLoopbackAddress()));
      try (Stack.Running running = stack.over(client)) {
        assertBegins(
            "Hostname foo.test.invalid not verified:",
            assertThrows(SSLPeerUnverifiedException.class, () -> running.get(url)));
      }
      assertEquals(0, other.getRequestCount());
    }
  }

  private static void assertBegins(String beginning, Exception refusal) {
    assertTrue(String.valueOf(refusal.getMessage()).startsWith(beginning), refusal::toString);
  }

  /** Once for each connection, and with the certificates at hand. */
  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aVerifierSaysThatAHostIsTheRightOne(Stack stack) throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    HostnameVerifier verifier = (host, session) -> {
      try {
        X509Certificate shown = (X509Certificate) session.getPeerCertificates()[0];
        return asked.add(host + " " + shown.equals(LOCALHOST.certificate()));
      } catch (SSLPeerUnverifiedException e) {
        return false;
      }
    };
    server.enqueue(new MockResponse.Builder().body("again").build());
    try (Stack.Running running = stack.over(trusting().hostnameVerifier(verifier))) {
      for (String body : List.of("safe", "again")) {
        try (Response response = running.get(url("127.0.0.1"))) {
          assertEquals(body, response.body().string());
        }
      }
    }
    assertEquals(List.of("127.0.0.1 true"), asked);
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aServerThatTheVerifierRefusesGetsNoRequest(Stack stack) throws Exception {
    try (Stack.Running running =
        stack.over(trusting().hostnameVerifier((host, session) -> false))) {
      assertBegins(
          "Hostname localhost not verified:",
          assertThrows(SSLPeerUnverifiedException.class, () -> running.get(url("localhost"))));
    }
    assertEquals(0, server.getRequestCount());
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aVerifierDoesNotMakeACertificateTrusted(Stack stack) throws Exception {
    OkHttpClient.Builder stranger =
        new OkHttpClient.Builder().hostnameVerifier((host, session) -> true);
    try (Stack.Running running = stack.over(stranger)) {
      assertThrows(SSLHandshakeException.class, () -> running.get(url("localhost")));
    }
    assertEquals(0, server.getRequestCount());
  }

  /** The key in a factory cannot be extracted, and must not be ignored silently. */
  @ParameterizedTest
  @CsvSource({"FACTORY, TLS_1_2", "FACTORY, TLS_1_3", "INTERCEPTOR, TLS_1_2", "INTERCEPTOR, TLS_1_3"
  })
  void aHandshakeFailsIfAServerRequestsAnInaccessibleKey(Stack stack, TlsVersion version)
      throws Exception {
    OkHttpClient.Builder client = known(new HandshakeCertificates.Builder()
            .heldCertificate(KNOWN)
            .addTrustedCertificate(AUTHORITY.certificate())
            .build())
        .newBuilder()
        .connectionSpecs(List.of(speaking(version)));
    try (Stack.Running running = stack.over(client);
        Response response = running.get(url("localhost"))) {
      assertEquals("safe", response.body().string());
    }
    server.requestClientAuth();
    try (Stack.Running running = stack.over(client)) {
      SSLHandshakeException refusal =
          assertThrows(SSLHandshakeException.class, () -> running.get(url("localhost")));
      assertTrue(
          String.valueOf(refusal.getMessage()).contains("pass its X509KeyManager with"),
          refusal::toString);
    }
    assertEquals(1, server.getRequestCount());
  }

  private static ConnectionSpec speaking(TlsVersion version) {
    return new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS)
        .tlsVersions(version)
        .build();
  }

  /** Any of those that the server supports, in one handshake. */
  @ParameterizedTest
  @EnumSource(names = {"FACTORY", "INTERCEPTOR"})
  void severalSpecificationsAreOfferedAtOnce(Stack stack) throws Exception {
    for (TlsVersion known : List.of(TlsVersion.TLS_1_2, TlsVersion.TLS_1_3)) {
      try (MockWebServer limited = PromptServer.create()) {
        limited.useHttps(new OneVersion(held().sslSocketFactory(), known));
        limited.start();
        limited.enqueue(new MockResponse.Builder().body("safe").build());
        OkHttpClient.Builder client = trusting()
            .connectionSpecs(List.of(speaking(TlsVersion.TLS_1_3), speaking(TlsVersion.TLS_1_2)));
        HttpUrl url = limited.url("/").newBuilder().host("localhost").build();
        try (Stack.Running running = stack.over(client);
            Response response = running.get(url)) {
          Handshake handshake = response.handshake();
          assertNotNull(handshake);
          assertEquals(known, handshake.tlsVersion());
        }
      }
    }
  }

  /** A server's factory whose sockets speak one version. */
  private static final class OneVersion extends SSLSocketFactory {
    private final SSLSocketFactory factory;
    private final TlsVersion version;

    OneVersion(SSLSocketFactory factory, TlsVersion version) {
      this.factory = factory;
      this.version = version;
    }

    @Override
    public Socket createSocket(Socket below, String host, int port, boolean autoClose)
        throws IOException {
      SSLSocket socket = (SSLSocket) factory.createSocket(below, host, port, autoClose);
      socket.setEnabledProtocols(new String[] {version.javaName()});
      return socket;
    }

    @Override
    public String[] getDefaultCipherSuites() {
      return factory.getDefaultCipherSuites();
    }

    @Override
    public String[] getSupportedCipherSuites() {
      return factory.getSupportedCipherSuites();
    }

    @Override
    public Socket createSocket(String host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(String host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
      throw new UnsupportedOperationException();
    }
  }

  private static OkHttpClient known(HandshakeCertificates certificates) {
    return new OkHttpClient.Builder()
        .sslSocketFactory(certificates.sslSocketFactory(), certificates.trustManager())
        .build();
  }

  @Test
  void aServerThatAsksIsShownTheKeyThatWasGiven() throws Exception {
    HandshakeCertificates certificates = new HandshakeCertificates.Builder()
        .heldCertificate(KNOWN)
        .addTrustedCertificate(AUTHORITY.certificate())
        .build();
    OkHttpClient client = known(certificates);
    server.requireClientAuth();
    server.enqueue(new MockResponse.Builder().body("safe").build());
    try (HeddleCallFactory calls = HeddleCallFactory.of(client, certificates.keyManager());
        HeddleInterceptor heddle = HeddleInterceptor.of(client, certificates.keyManager())) {
      OkHttpClient intercepted = client.newBuilder().addInterceptor(heddle).build();
      for (OkHttpClient each : List.of(calls.client(), intercepted)) {
        Request request = new Request.Builder().url(url("localhost")).build();
        try (Response response = each.newCall(request).execute()) {
          assertEquals("safe", response.body().string());
        }
        Handshake handshake = server.takeRequest().getHandshake();
        assertNotNull(handshake);
        assertEquals(List.of(KNOWN.certificate()), handshake.peerCertificates());
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void aPinnedCertificateIsChecked(Stack stack) throws Exception {
    CertificatePinner right = new CertificatePinner.Builder()
        .add("localhost", CertificatePinner.pin(AUTHORITY.certificate()))
        .build();
    HeldCertificate other = new HeldCertificate.Builder().build();
    CertificatePinner wrong = new CertificatePinner.Builder()
        .add("localhost", CertificatePinner.pin(other.certificate()))
        .build();
    // Also with a verifier that accepts any host.
    OkHttpClient.Builder lenient = trusting().hostnameVerifier((host, session) -> true);
    try (Stack.Running pinned = stack.over(trusting().certificatePinner(right));
        Stack.Running betrayed = stack.over(lenient.certificatePinner(wrong))) {
      SSLPeerUnverifiedException refusal =
          assertThrows(SSLPeerUnverifiedException.class, () -> betrayed.get(url("localhost")));
      assertBegins("Certificate pinning failure!", refusal);
      assertEquals(0, server.getRequestCount());
      try (Response response = pinned.get(url("localhost"))) {
        assertEquals("safe", response.body().string());
      }
    }
  }

  /** Trusts what the authority has signed, and knows nothing about hosts. */
  private static final X509TrustManager PLAIN = new X509TrustManager() {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String kind) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String kind)
        throws CertificateException {
      try {
        chain[0].verify(AUTHORITY.certificate().getPublicKey());
      } catch (GeneralSecurityException e) {
        throw new CertificateException(e);
      }
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[] {AUTHORITY.certificate()};
    }
  };

  @ParameterizedTest
  @EnumSource(names = {"STOCK", "FACTORY", "INTERCEPTOR"})
  void pinsAndHostsAreCheckedWithATrustManagerThatKnowsNoHosts(Stack stack) throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {PLAIN}, null);
    CertificatePinner right = new CertificatePinner.Builder()
        .add("localhost", CertificatePinner.pin(LOCALHOST.certificate()))
        .build();
    try (Stack.Running pinned = stack.over(new OkHttpClient.Builder()
        .sslSocketFactory(context.getSocketFactory(), PLAIN)
        .certificatePinner(right))) {
      assertThrows(SSLPeerUnverifiedException.class, () -> pinned.get(url("127.0.0.1")));
      try (Response response = pinned.get(url("localhost"))) {
        assertEquals("safe", response.body().string());
      }
    }
  }
}
