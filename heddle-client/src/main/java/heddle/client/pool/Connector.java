package heddle.client.pool;

import heddle.client.spi.Route;
import heddle.connection.Connection;
import heddle.connection.ConnectionListener;
import heddle.connection.Exchange;
import java.io.IOException;

/** Opens the connections of a pool. Safe for use by many threads. */
@FunctionalInterface
public interface Connector {
  /**
   * Opens a connection; parks the calling thread until it can be used.
   *
   * @param route where the connection leads
   * @param exchange the call that waits for it, whose deadline applies and which is notified of
   *     each phase
   * @param listener called when the connection is closed, by either side, and when it can carry
   *     more or fewer exchanges; not called if opening fails
   */
  Connection connect(Route route, Exchange exchange, ConnectionListener listener)
      throws IOException;
}
