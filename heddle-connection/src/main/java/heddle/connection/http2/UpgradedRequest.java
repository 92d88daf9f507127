package heddle.connection.http2;

import heddle.codec.Role;
import heddle.codec.http2.Http2Limits;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import heddle.http.Limits;
import heddle.http.Request;
import heddle.http.Response;
import heddle.transport.Channel;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.function.Consumer;

/**
 * The request with which a connection was upgraded from HTTP/1.1 (RFC 7540 §3.2), as stream 1 of
 * the HTTP/2 connection that begins with it. It was sent completely in HTTP/1.1; its response
 * arrives here.
 */
public final class UpgradedRequest {
  private UpgradedRequest() {}

  /**
   * The value of HTTP2-Settings in a request that offers the upgrade: the payload of our SETTINGS
   * in base64url, without padding (RFC 7540 §3.2.1).
   *
   * @param limits those of a head
   */
  public static String settings(Limits limits) {
    byte[] payload = Http2Limits.CLIENT.toBuilder()
        .heads(limits)
        .build()
        .settings(Role.CLIENT)
        .announced()
        .payload();
    return Base64.getUrlEncoder().withoutPadding().encodeToString(payload);
  }

  /**
   * Begins to use a channel whose server has switched, and waits for the response.
   *
   * @param settingsTimeout how long the peer may take to acknowledge our SETTINGS
   * @param listener called when the connection is closed or can carry more or fewer exchanges
   * @param made called with the connection, on the calling thread, before the response has arrived
   */
  public static Response send(
      Request request,
      Exchange owner,
      Channel channel,
      Limits limits,
      Duration settingsTimeout,
      ConnectionListener listener,
      Consumer<Connection> made)
      throws IOException {
    Http2Connection connection = new Http2Connection(
        channel, Http2Limits.CLIENT.toBuilder().heads(limits).build(), settingsTimeout, listener);
    Http2Exchange exchange = new Http2Exchange(connection, owner, request, connection.now());
    boolean answered = false;
    try {
      connection.startUpgraded(request.method(), exchange);
      made.accept(connection);
      connection.flush(exchange, false);
      exchange.response.awaitAnswer();
      Response response = connection.response(exchange);
      answered = true;
      return response;
    } catch (IOException e) {
      throw connection.failed(exchange, e);
    } finally {
      if (!answered) {
        connection.giveUp(exchange);
      }
    }
  }
}
