package heddle.client.pool;

import heddle.client.route.Route;
import java.util.ArrayDeque;

/** What the pool holds for one route. Guarded by the pool's lock. */
final class RoutePool {
  final Route route;
  final IdleList idle = new IdleList();

  /** First come, first served. */
  final ArrayDeque<Waiter> waiters = new ArrayDeque<>();

  /** Connections open or being opened, idle ones among them. */
  int open;

  RoutePool(Route route) {
    this.route = route;
  }

  boolean isUnused() {
    return open == 0 && waiters.isEmpty();
  }

  PoolSnapshot.RouteSnapshot snapshot() {
    return new PoolSnapshot.RouteSnapshot(route, open, idle.size(), waiters.size());
  }
}
