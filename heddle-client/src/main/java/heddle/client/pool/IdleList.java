package heddle.client.pool;

import org.jspecify.annotations.Nullable;

/**
 * The idle connections of one route, by the time they became idle. The newest is taken first, so
 * that those which the load does not need stay idle and expire. Guarded by the pool's lock.
 */
final class IdleList {
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

  void add(PooledConnection entry, long now) {
    entry.idle = true;
    entry.idleSince = now;
    entry.older = newest;
    if (newest == null) {
      oldest = entry;
    } else {
      newest.newer = entry;
    }
    newest = entry;
    size++;
  }

  @Nullable
  PooledConnection takeNewest() {
    PooledConnection entry = newest;
    if (entry != null) {
      remove(entry);
    }
    return entry;
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
    entry.idle = false;
    size--;
  }
}
