package heddle.adapters.support.lease;

import heddle.client.HttpClient;
import java.io.IOException;
import java.net.SocketException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The connection of a lease that shares none: a Heddle client that opens one connection at a time.
 * The client is made when first needed, and again when settings change. Thread-safe.
 *
 * @param <S> settings of clients
 */
public final class OwnConnection<S> {
  private final LeaseClients<S> clients;
  private final ReentrantLock lock = new ReentrantLock();

  // All guarded by the lock.
  private @Nullable HttpClient client;
  private @Nullable S settings;
  private boolean closed;

  private volatile @Nullable Object owner;

  OwnConnection(LeaseClients<S> clients) {
    this.clients = clients;
  }

  /**
   * Returns the client for calls with these settings.
   *
   * @throws IOException if the connection was closed
   */
  HttpClient client(S wanted) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new SocketException("Socket closed");
      }
      HttpClient known = client;
      if (known == null || !wanted.equals(settings)) {
        retire(known);
        known = clients.ownClient(wanted);
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
    owner = state;
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
      Thread.ofVirtual().name("heddle-retire").start(old::close);
    }
  }

  /**
   * Connections that were released open, each waiting for its owner, the oldest first. A connection
   * that is evicted is closed. Not thread-safe.
   *
   * @param <R> routes
   * @param <S> settings of clients
   */
  static final class Shelf<R, S> {
    private record Left<R, S>(R route, Warm<S> warm, OwnConnection<S> connection) {}

    private final Deque<Left<R, S>> all = new ArrayDeque<>(0);

    void add(R route, Warm<S> warm, OwnConnection<S> connection) {
      all.add(new Left<>(route, warm, connection));
    }

    /** Takes the newest connection of an owner; null if there is none. */
    @Nullable
    Warm<S> take(R route, Object owner) {
      for (Iterator<Left<R, S>> each = all.descendingIterator(); each.hasNext(); ) {
        Left<R, S> left = each.next();
        if (left.route.equals(route) && owner.equals(left.connection.owner)) {
          each.remove();
          return left.warm;
        }
      }
      return null;
    }

    void closeIf(Predicate<Warm<S>> which) {
      closeWhere(left -> which.test(left.warm));
    }

    private void closeWhere(Predicate<Left<R, S>> which) {
      all.removeIf(left -> {
        boolean leaves = which.test(left);
        if (leaves) {
          left.connection.close();
        }
        return leaves;
      });
    }

    /** Closes the oldest ones until both limits are met, in total and for the route. */
    void shrink(int most, R route, int mostOfRoute) {
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

    int count(R route) {
      int count = 0;
      for (Left<R, S> left : all) {
        count += left.route.equals(route) ? 1 : 0;
      }
      return count;
    }

    void addRoutesTo(Set<R> routes) {
      all.forEach(left -> routes.add(left.route));
    }
  }
}
