package heddle.connection;

/**
 * Hears what comes in on a server's {@linkplain ServerConnection connections}. Called on a loop, so
 * it neither blocks nor runs user code.
 */
public interface RequestListener {
  /**
   * A request has come: its head, and its body too when that is small. To be answered once, on
   * another thread, through {@link ServerExchange#respond}, or turned away at once with {@link
   * ServerExchange#refuse}. Over HTTP/1.1 the next request of the connection is not announced
   * before.
   */
  void onRequest(ServerExchange exchange);

  /** The connection is closed; the last call of all for it, made exactly once. */
  void onClosed(ServerConnection connection);
}
