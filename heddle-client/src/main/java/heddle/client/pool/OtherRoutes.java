package heddle.client.pool;

import heddle.client.route.Route;
import heddle.connection.Connection;
import heddle.http.Origin;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds a call whose route has no connection one of another route (RFC 9113 §9.1.1). Locks one
 * route after the other, each for a moment.
 */
final class OtherRoutes {
  private final Upkeep upkeep;

  OtherRoutes(Upkeep upkeep) {
    this.upkeep = upkeep;
  }

  /** The first open connection that is shared, suits, and has room; leased. Null if none is. */
  @Nullable
  PooledConnection lease(Route route, BiPredicate<? super Route, ? super Connection> suits) {
    RoutePool own = upkeep.places.find(route);
    if (own != null && hasConnections(own)) {
      return null;
    }
    for (RoutePool other : upkeep.places.routes()) {
      if (other == own) {
        continue;
      }
      for (PooledConnection entry : connections(other, route.origin())) {
        Connection connection = entry.connection;
        boolean shared = connection != null && connection.isMultiplexed();
        if (shared && suits.test(other.route, connection) && lease(other, entry)) {
          return entry;
        }
      }
    }
    return null;
  }

  private static boolean hasConnections(RoutePool pool) {
    pool.lock.lock();
    try {
      return pool.connections.takeCalls();
    } finally {
      pool.lock.unlock();
    }
  }

  /** None where one has said that it is the wrong one (RFC 9110 §15.5.20), while that one lives. */
  private static List<PooledConnection> connections(RoutePool pool, Origin origin) {
    pool.lock.lock();
    try {
      List<PooledConnection> all = pool.connections.all();
      return all.stream().anyMatch(each -> each.misdirects(origin)) ? List.of() : all;
    } finally {
      pool.lock.unlock();
    }
  }

  private boolean lease(RoutePool pool, PooledConnection entry) {
    pool.lock.lock();
    try {
      long now = upkeep.now();
      if (upkeep.isShutdown() || !pool.leaseAtOnce(entry, now)) {
        return false;
      }
      pool.arrived(now);
      return true;
    } finally {
      pool.lock.unlock();
    }
  }
}
