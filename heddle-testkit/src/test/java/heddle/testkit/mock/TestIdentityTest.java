package heddle.testkit.mock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that shows it is trusted by its own context, for its own names, and by no other. */
@Timeout(60)
class TestIdentityTest {
  private static String protocol(SSLContext context, MockServer server, String host)
      throws Exception {
    try (SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(host, server.port())) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      return socket.getSession().getProtocol();
    }
  }

  @Test
  void serverIsTrustedForItsNamesByItsOwnContextAlone() throws Exception {
    TestIdentity identity = TestIdentity.forNames("localhost", "127.0.0.1");
    TestIdentity stranger = TestIdentity.forNames("loom.test", "::1");
    try (MockServer server =
            MockServer.builder().tls(identity.server("TLSv1.2")).start();
        MockServer other = MockServer.builder().tls(stranger.server()).start()) {
      assertEquals("TLSv1.2", protocol(identity.trusting(), server, "127.0.0.1"));
      assertEquals(
          "TLSv1.2", protocol(TestIdentity.trusting(stranger, identity), server, "127.0.0.1"));
      assertThrows(
          SSLHandshakeException.class, () -> protocol(stranger.trusting(), server, "127.0.0.1"));
      // It is trusted, and not for this name.
      assertThrows(
          SSLHandshakeException.class, () -> protocol(stranger.trusting(), other, "127.0.0.1"));
    }
  }

  @Test
  void clientThatDoesNotTrustTheServerIsNoErrorInTheLog() throws Exception {
    Queue<String> errors = new ConcurrentLinkedQueue<>();
    Handler keeping = new StreamHandler() {
      @Override
      public void publish(LogRecord record) {
        if (record.getLevel().intValue() > Level.INFO.intValue()) {
          errors.add(record.getMessage());
        }
      }
    };
    Logger logger = Logger.getLogger("heddle");
    logger.addHandler(keeping);
    try (MockServer server =
        MockServer.builder().tls(TestIdentity.forNames("localhost").server()).start()) {
      SSLContext trusting = TestIdentity.forNames("localhost").trusting();
      assertThrows(SSLHandshakeException.class, () -> protocol(trusting, server, "localhost"));
    } finally {
      logger.removeHandler(keeping);
    }
    assertEquals(List.of(), List.copyOf(errors));
  }

  @Test
  void certificateIsForNamesAndAddressesAndCanBeWrittenAsPem() throws Exception {
    TestIdentity identity = TestIdentity.forNames("loom.test", "10.0.0.1");
    Set<Object> names = identity.certificate().getSubjectAlternativeNames().stream()
        .map(each -> each.get(1))
        .collect(Collectors.toSet());
    assertEquals(Set.of("loom.test", "10.0.0.1"), names);
    byte[] pem = identity.pem().getBytes(StandardCharsets.US_ASCII);
    assertEquals(
        identity.certificate(),
        CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(pem)));
  }
}
