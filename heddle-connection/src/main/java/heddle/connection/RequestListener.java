package heddle.connection;

import heddle.http.Headers;
import heddle.http.Status;
import heddle.transport.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Receives the requests of a server's {@linkplain ServerConnection connections}. Called on a loop,
 * or by the thread that has just answered the request before, so it must neither block nor run user
 * code.
 */
public interface RequestListener {
  /**
   * A request has arrived: its head, and its body too if that is small. It must be answered once,
   * on another thread, through {@link ServerExchange#respond}, or refused at once with {@link
   * ServerExchange#refuse}. Over HTTP/1.1 the connection announces its next request only after
   * that.
   */
  void onRequest(ServerExchange exchange);

  /** Whether requests may be answered by {@link ServerExchange#switchProtocols switching}. */
  default boolean switchesProtocols() {
    return false;
  }

  /**
   * A request or its connection ends because the client broke the protocol, exceeded a limit, or
   * was too slow in sending. May be called several times for a connection.
   */
  default void onFault() {}

  /**
   * A request is refused, and no handler sees it: it was not announced, or it is {@linkplain
   * ServerExchange#reportRefused reported}. Called once for each such request, from any thread.
   *
   * @param requestLine as far as it is known, as ISO 8859-1, perhaps with control characters; empty
   *     if nothing of it is known. No longer than the limit of heads
   * @param fields empty if the head was not received whole
   * @param status of the response; null if there is none
   */
  default void onRefused(
      Channel channel, String requestLine, Headers fields, @Nullable Status status) {}

  /** The connection is closed; called exactly once, as the last call for it. */
  void onClosed(ServerConnection connection);
}
