package heddle.connection.http1;

/**
 * Hears what comes in on a server's {@linkplain Http1ServerConnection connections}. Called on a
 * loop, so it neither blocks nor runs user code.
 */
public interface Http1RequestListener {
  /**
   * A request has come: its head, and its body too when that is small. To be answered once, on
   * another thread, through {@link Http1ServerExchange#respond}, or turned away at once with {@link
   * Http1ServerExchange#refuse}. The next request of the connection is not announced before.
   */
  void onRequest(Http1ServerExchange exchange);

  /** The connection is closed; the last call of all for it, made exactly once. */
  void onClosed(Http1ServerConnection connection);
}
