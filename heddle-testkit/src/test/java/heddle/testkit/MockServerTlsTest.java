package heddle.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import heddle.testkit.mock.MockResponse;
import heddle.testkit.mock.MockServer;
import heddle.transport.tls.TlsOptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A mock server that is given an identity speaks TLS. */
@Timeout(60)
final class MockServerTlsTest {
  @Test
  void agreesOnTheVersionByAlpn() throws Exception {
    TestCertificates authority = new TestCertificates("mock");
    TlsOptions being = TestCertificates.being(authority.identity("localhost")).build();
    TlsOptions trusting = authority.trusting().build();
    try (SimNetwork network = SimNetwork.create();
        MockServer server = MockServer.builder().network(network).tls(being).start()) {
      server.answer("/x", MockResponse.ok("secret"));
      assertTrue(server.url("/x").startsWith("https://localhost:"), server.url("/x"));
      try (Http2Peer h2 =
          Http2Peer.connect(TlsNetwork.over(network, trusting, "h2"), server.address())) {
        h2.handshake();
        h2.sendGet(1, "/x");
        h2.expectResponse(1, 200);
        assertEquals("secret", new String(h2.expectContent(1), UTF_8));
      }
      try (RawConnection c =
          RawConnection.connect(TlsNetwork.over(network, trusting, "http/1.1"), server.address())) {
        c.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n");
        assertTrue(c.expectMessage().endsWith("secret"));
      }
    }
  }
}
