package heddle.connection.http2;

import heddle.codec.http2.frame.ErrorCode;
import heddle.connection.ConnectionListener;
import heddle.http.Limits;
import heddle.transport.Channel;
import java.time.Duration;

/** A client's connection that is used only to tell the server why it is not used. */
public final class Http2Refusal {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private static final ConnectionListener NO_LISTENER = new ConnectionListener() {
    @Override
    public void closed() {}

    @Override
    public void capacityChanged() {}
  };

  private Http2Refusal() {}

  /**
   * Begins to use a channel only to tell the peer that its TLS is not good enough
   * (INADEQUATE_SECURITY, RFC 9113 §9.2.2), and to close it then.
   */
  public static void ofInadequateSecurity(Channel channel, String weakness) {
    Http2Connection connection =
        Http2Connection.start(channel, Limits.DEFAULTS, PATIENCE, NO_LISTENER);
    connection.closeSaying(ErrorCode.INADEQUATE_SECURITY, weakness);
  }
}
