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
 * The connection of a lease that shares none: a Heddle client that opens one connection at a time.
 * The client is made when first needed, and again when settings change. Thread-safe.
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
   * Returns the client for calls with these settings.
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

  /** Makes this state the owner of the connection. */
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

  /** Refuses further calls, and closes the connection when running calls have ended. */
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
   * Connections that were released open, each waiting for its owner, the oldest first. A connection
   * that is evicted is closed. Not thread-safe.
   */
  static final class Shelf {
    private record Left(HttpRoute route, Warm warm, OwnConnection connection) {}

    private final Deque<Left> all = new ArrayDeque<>(0);

    void add(HttpRoute route, Warm warm, OwnConnection connection) {
      all.add(new Left(route, warm, connection));
    }

    /** Takes the newest connection of an owner; null if there is none. */
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

    /** Closes the oldest ones until both limits are met, in total and for the route. */
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
