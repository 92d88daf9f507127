package heddle.connection;

/**
 * Listens for changes of a {@link Connection} that its owner shares between calls. Called on any
 * thread, including the connection's loop, without holding a lock of the connection; must not
 * block. A method may be called before the method that opens the connection has returned.
 */
public interface ConnectionListener {
  /** The connection has closed, on either side. Called once, and not if opening it failed. */
  void closed();

  /**
   * What {@link Connection#maxExchanges} or {@link Connection#isOpen} answer has changed: the peer
   * allows another number of exchanges, or accepts no new ones.
   */
  void capacityChanged();
}
