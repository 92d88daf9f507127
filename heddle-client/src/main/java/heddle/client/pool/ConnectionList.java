package heddle.client.pool;

import org.jspecify.annotations.Nullable;

/**
 * Connections of one route in the order in which they were added, linked through themselves: a
 * connection is in one list at most. Guarded by the route's lock.
 */
final class ConnectionList {
  private @Nullable PooledConnection newest;
  private @Nullable PooledConnection oldest;
  private int size;

  int size() {
    return size;
  }

  @Nullable
  PooledConnection oldest() {
    return oldest;
  }

  @Nullable
  PooledConnection newest() {
    return newest;
  }

  void add(PooledConnection entry) {
    entry.older = newest;
    if (newest == null) {
      oldest = entry;
    } else {
      newest.newer = entry;
    }
    newest = entry;
    size++;
  }

  void remove(PooledConnection entry) {
    PooledConnection newer = entry.newer;
    PooledConnection older = entry.older;
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    entry.newer = null;
    entry.older = null;
    size--;
  }
}
