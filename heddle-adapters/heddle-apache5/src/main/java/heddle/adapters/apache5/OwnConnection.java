package heddle.adapters.apache5;

import heddle.client.HttpClient;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.apache.hc.client5.http.HttpRoute;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a lease that shares none: a client of Heddle's that opens one at a time. Made
 * when first needed, and anew where settings change. Safe for use by many threads.
 */
final class OwnConnection {
  private final Transport transport;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private @Nullable HttpClient client;
  private @Nullable Settings settings;
  private @Nullable Object owner;
  private boolean closed;

  OwnConnection(Transport transport) {
    this.transport = transport;
  }

  /**
   * The client for calls with these settings.
   *
   * @throws IOException if the connection was closed
   */
  HttpClient client(Settings wanted) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw CallScope.ended(null);
      }
      HttpClient known = client;
      if (known == null || !wanted.equals(settings)) {
        retire(known);
        known = transport.ownClient(wanted);
        client = known;
        settings = wanted;
      }
      return known;
    } finally {
      lock.unlock();
    }
  }

  /** From now on it belongs to whoever is known by this state. */
  void belongTo(Object state) {
    lock.lock();
    try {
      owner = state;
    } finally {
      lock.unlock();
    }
  }

  private boolean belongsTo(Object state) {
    lock.lock();
    try {
      return state.equals(owner);
    } finally {
      lock.unlock();
    }
  }

  /** Takes no more calls, and closes the connection when those under way have ended. */
  void close() {
    lock.lock();
    try {
      closed = true;
      retire(client);
      client = null;
    } finally {
      lock.unlock();
    }
  }

  private static void retire(@Nullable HttpClient old) {
    if (old != null) {
      Thread.ofVirtual().name("heddle-apache5-retire").start(old::close);
    }
  }

  /**
   * Those that were given back open, each for its owner, the oldest first. What leaves the shelf
   * for nobody is closed. Not safe for use by several threads.
   */
  static final class Shelf {
    private record Left(HttpRoute route, Warm warm, OwnConnection connection) {}

    private final Deque<Left> all = new ArrayDeque<>(0);

    void add(HttpRoute route, Warm warm, OwnConnection connection) {
      all.add(new Left(route, warm, connection));
    }

    /** The youngest of an owner's; null where there is none. */
    @Nullable
    Warm take(HttpRoute route, Object owner) {
      for (Iterator<Left> each = all.descendingIterator(); each.hasNext(); ) {
        Left left = each.next();
        if (left.route.equals(route) && left.connection.belongsTo(owner)) {
          each.remove();
          return left.warm;
        }
      }
      return null;
    }

    void closeIf(Predicate<Warm> which) {
      closeWhere(left -> which.test(left.warm));
    }

    private void closeWhere(Predicate<Left> which) {
      all.removeIf(left -> {
        boolean leaves = which.test(left);
        if (leaves) {
          left.connection.close();
        }
        return leaves;
      });
    }

    /** Closes the oldest ones until there are no more than so many in all, and of the route. */
    void shrink(int most, HttpRoute route, int mostOfRoute) {
      if (all.isEmpty()) {
        return;
      }
      int[] tooMany = {count(route) - mostOfRoute};
      closeWhere(left -> left.route.equals(route) && tooMany[0]-- > 0);
      while (all.size() > Math.max(0, most)) {
        all.remove().connection.close();
      }
    }

    int count() {
      return all.size();
    }

    int count(HttpRoute route) {
      int count = 0;
      for (Left left : all) {
        count += left.route.equals(route) ? 1 : 0;
      }
      return count;
    }

    void addRoutesTo(Set<HttpRoute> routes) {
      all.forEach(left -> routes.add(left.route));
    }
  }
}
