package heddle.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.http.Response;
import heddle.testkit.mock.TestIdentity;
import heddle.testwatch.Conditions;
import heddle.transport.tls.TlsOptions;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which certificate a server shows, by name and in the course of time, over real sockets. */
@Timeout(60)
class TlsChangeTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final String PASSWORD = "secret";

  private static TestIdentity before;
  private static TestIdentity after;

  @BeforeAll
  static void makeIdentities() throws Exception {
    before = TestIdentity.forNames("a.test");
    after = TestIdentity.forNames("a.test", "b.test");
  }

  private static HttpServer.Builder server() {
    return HttpServer.builder().handler(request -> Response.ok(request.path()));
  }

  private static SSLSocket connect(SSLContext context, SocketAddress address, String name)
      throws IOException {
    int port = ((InetSocketAddress) address).getPort();
    Socket plain = new Socket(InetAddress.getLoopbackAddress(), port);
    plain.setSoTimeout(20_000);
    // The name and the port are what a context keeps sessions by.
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, name, port, true);
    SSLParameters parameters = socket.getSSLParameters();
    parameters.setServerNames(List.of(new SNIHostName(name)));
    socket.setSSLParameters(parameters);
    return socket;
  }

  private static void assertAnswers(SSLSocket socket) throws IOException {
    String request = "GET /x HTTP/1.1\r\nHost: a.test\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(ISO_8859_1));
    StringBuilder answer = new StringBuilder();
    InputStream in = socket.getInputStream();
    while (!answer.toString().endsWith("\r\n\r\n/x")) {
      int c = in.read();
      assertTrue(c >= 0, "closed after " + answer);
      answer.append((char) c);
    }
    assertTrue(answer.toString().startsWith("HTTP/1.1 200 "), answer.toString());
  }

  private static void assertShown(TestIdentity expected, SSLSocket socket) throws IOException {
    assertEquals(expected.certificate(), socket.getSession().getPeerCertificates()[0]);
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void newConnectionsUseTheNewOptionsAndOpenOnesLiveOn(String version) throws Exception {
    SSLContext context = TestIdentity.trusting(before, after);
    try (HttpServer server = server().tls(before.server(version)).start();
        SSLSocket open = connect(context, server.address(), "a.test")) {
      assertAnswers(open);
      try (SSLSocket resumed = connect(context, server.address(), "a.test")) {
        assertAnswers(resumed);
        assertShown(before, resumed);
      }
      try (SSLSocket begun = connect(context, server.address(), "a.test")) {
        Conditions.await("both are accepted", () -> server.connections() >= 2);
        server.tls(after.server(version));
        assertAnswers(begun); // Accepted before the change: either certificate is trusted.
      }
      // Although the client offers the session that it has.
      try (SSLSocket fresh = connect(context, server.address(), "a.test")) {
        assertAnswers(fresh);
        assertShown(after, fresh);
      }
      assertAnswers(open);
      assertShown(before, open);
    }
  }

  @Test
  void addressesThatShareOptionsChangeTogetherAndOthersStay() throws Exception {
    TlsOptions shared = before.server();
    SSLContext context = TestIdentity.trusting(before, after);
    try (HttpServer server = server()
        .tls(shared)
        .listen(ListenAddress.of(ANY_PORT).withTls(shared))
        .listen(ListenAddress.of(ANY_PORT).withTls(before.server()))
        .listen(ListenAddress.of(ANY_PORT))
        .start()) {
      List<SocketAddress> all = server.addresses();
      server.tls(all.get(1), after.server());
      for (int i = 0; i < 3; i++) {
        try (SSLSocket socket = connect(context, all.get(i), "a.test")) {
          assertAnswers(socket);
          assertShown(i < 2 ? after : before, socket);
        }
      }
      assertThrows(IllegalStateException.class, () -> server.tls(all.get(3), shared));
      SocketAddress unknown = new InetSocketAddress("192.0.2.1", 1);
      assertThrows(IllegalArgumentException.class, () -> server.tls(unknown, shared));
      assertThrows(IllegalArgumentException.class, () -> server.tls(TlsOptions.defaults()));
    }
  }

  @Test
  void certificateIsThatOfTheRequestedName() throws Exception {
    TestIdentity other = TestIdentity.forNames("*.c.test");
    SSLContext context = TestIdentity.trusting(before, other);
    TlsOptions options = identity(identity(TlsOptions.builder(), before), other).build();
    try (HttpServer server = server().tls(options).start()) {
      for (int i = 0; i < 2; i++) {
        try (SSLSocket one = connect(context, server.address(), "a.test");
            SSLSocket two = connect(context, server.address(), "x.c.test");
            SSLSocket unknown = connect(context, server.address(), "z.test")) {
          assertAnswers(one);
          assertShown(before, one);
          assertAnswers(two);
          assertShown(other, two);
          assertAnswers(unknown);
          assertShown(before, unknown);
        }
      }
    }
  }

  /** Neither a client without a certificate nor one with a wrong one reaches the handler. */
  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.3", "TLSv1.2"})
  void onlyClientsWithATrustedCertificateAreServed(String version) throws Exception {
    TlsOptions options = identity(TlsOptions.builder(), before)
        .trust(List.of(after.certificate()))
        .clientAuthentication(TlsOptions.ClientAuthentication.NEEDED)
        .protocols(version)
        .build();
    try (HttpServer server = server().tls(options).start()) {
      for (TestIdentity client : new TestIdentity[] {null, before}) {
        try (SSLSocket socket = connect(as(client), server.address(), "a.test")) {
          assertThrows(IOException.class, () -> assertAnswers(socket));
        }
      }
      assertEquals(0, server.peakActive());
      try (SSLSocket socket = connect(as(after), server.address(), "a.test")) {
        assertAnswers(socket);
      }
    }
  }

  private static SSLContext as(TestIdentity client) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
    keys.init(client == null ? null : client.keyStore(PASSWORD), PASSWORD.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(before.keyStore(PASSWORD));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  private static TlsOptions.Builder identity(TlsOptions.Builder options, TestIdentity identity)
      throws GeneralSecurityException, IOException {
    return options.identity(identity.keyStore(PASSWORD), PASSWORD.toCharArray());
  }
}
