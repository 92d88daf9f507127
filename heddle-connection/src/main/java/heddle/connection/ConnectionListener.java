package heddle.connection;

/**
 * Listens for changes of a {@link Connection}. Called on any thread, including the connection's
 * loop, without holding a lock of the connection, and maybe before the method that opens the
 * connection has returned; must not block.
 */
public interface ConnectionListener {
  /** The connection has closed, on either side. Called once, and not if opening it failed. */
  void closed();

  /**
   * What {@link Connection#maxExchanges} or {@link Connection#isOpen} answer has changed: the peer
   * allows another number of exchanges, or accepts no new ones.
   */
  void capacityChanged();

  /**
   * While the connection is being opened: its peer is said to speak HTTP/1.1 alone. The peer may
   * prove otherwise.
   */
  default void expectHttp11() {}
}
