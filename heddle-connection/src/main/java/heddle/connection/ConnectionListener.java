package heddle.connection;

/**
 * What the owner of a client's {@link Connection} hears of it. Called on any thread, which may be a
 * loop, so it neither blocks nor runs user code.
 */
public interface ConnectionListener {
  /** The connection is closed, by whomever. Once, and the last call of all. */
  void closed();

  /**
   * How many exchanges the connection takes, or whether it takes any, may have changed: the peer
   * has set another limit, or takes no more (GOAWAY, RFC 9113 §6.8).
   */
  void capacityChanged();
}
