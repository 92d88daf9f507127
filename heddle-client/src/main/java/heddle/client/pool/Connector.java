package heddle.client.pool;

import heddle.client.route.Route;
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
   * @param route where to
   * @param exchange the call that waits for it, whose deadline holds and which hears of each phase
   * @param listener hears when the connection is closed, by whomever, and when it can carry more or
   *     fewer exchanges; not when opening it fails
   */
  Connection connect(Route route, Exchange exchange, ConnectionListener listener)
      throws IOException;
}
