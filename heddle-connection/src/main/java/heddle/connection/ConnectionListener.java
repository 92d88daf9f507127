package heddle.connection;

/**
 * Hears what changes about a {@link Connection} that somebody shares out. Called on any thread, the
 * connection's loop among them, without a lock of the connection's: must not block. A notice may
 * come before the connection has been returned by whoever opened it.
 */
public interface ConnectionListener {
  /** The connection has closed, by whomever. Once, and not when opening it failed. */
  void closed();

  /**
   * What {@link Connection#maxExchanges} or {@link Connection#isOpen} answer has changed: the peer
   * allows another number of exchanges, or takes no new ones.
   */
  void capacityChanged();
}
