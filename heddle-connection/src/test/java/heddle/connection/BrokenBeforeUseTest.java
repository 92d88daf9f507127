package heddle.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import heddle.connection.http1.HeadParsers;
import heddle.connection.http1.Http1Connection;
import heddle.connection.http2.Http2Connection;
import heddle.http.Limits;
import heddle.http.MalformedUrlException;
import heddle.http.Request;
import heddle.http.failure.ConnectionLostException;
import heddle.http.failure.TlsException;
import heddle.testkit.ManualChannel;
import heddle.transport.TlsHandshakeException;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A channel that breaks between the handshake and the first request: in TLS 1.3 a server refuses a
 * certificate no earlier.
 */
@Timeout(60)
class BrokenBeforeUseTest {
  private final Request get;

  BrokenBeforeUseTest() throws MalformedUrlException {
    get = Request.get("https://server/");
  }

  private final ManualChannel channel = new ManualChannel(buffers -> {});
  private final ConnectionListener deaf = new ConnectionListener() {
    @Override
    public void closed() {}

    @Override
    public void capacityChanged() {}
  };

  private static TlsHandshakeException refusal() {
    return new TlsHandshakeException(
        TlsException.Reason.CLIENT_CERTIFICATE_REFUSED, "who are you", null);
  }

  private void assertSaysWhy(Connection connection) {
    channel.breakBy(refusal());
    TlsException told =
        assertThrows(TlsException.class, () -> connection.send(get, new OneExchange(get)));
    assertEquals(TlsException.Reason.CLIENT_CERTIFICATE_REFUSED, told.reason());
  }

  @Test
  void http1SaysThatTheCertificateWasRefused() {
    assertSaysWhy(Http1Connection.start(channel, Limits.DEFAULTS, new HeadParsers(), false, deaf));
  }

  @Test
  void http2SaysThatTheCertificateWasRefused() {
    assertSaysWhy(Http2Connection.start(channel, Limits.DEFAULTS, Duration.ofSeconds(10), deaf));
  }

  @Test
  void http1SaysWhatBrokeTheConnection() {
    Connection connection =
        Http1Connection.start(channel, Limits.DEFAULTS, new HeadParsers(), false, deaf);
    channel.breakBy(new IOException("reset by an ox"));
    ConnectionLostException told = assertThrows(
        ConnectionLostException.class, () -> connection.send(get, new OneExchange(get)));
    assertEquals("reset by an ox", String.valueOf(told.getCause().getMessage()));
  }
}
