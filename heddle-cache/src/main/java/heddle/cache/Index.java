package heddle.cache;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The resources of a store by name, from the least to the most recently used, and how many bytes
 * they take together with what is being written. Thread-safe; its lock is a leaf.
 */
final class Index<T> {
  private record Entry<T>(T value, long bytes) {}

  private final long maxBytes;
  private final ReentrantLock lock = new ReentrantLock();

  // Guarded by the lock.
  private final Map<String, Entry<T>> entries = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long evicted;
  private boolean closed;

  /**
   * @throws IllegalArgumentException if it is less than 1
   */
  Index(long maxBytes) {
    this.maxBytes = maxBytes;
    if (maxBytes < 1) {
      throw new IllegalArgumentException("maxBytes must be at least 1, but was " + maxBytes);
    }
  }

  long maxBytes() {
    return maxBytes;
  }

  private <R extends @Nullable Object> R locked(Supplier<R> work) {
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }

  /** Null if there is none. Makes it the most recently used. */
  @Nullable
  T get(String name) {
    Entry<T> entry = locked(() -> entries.get(name));
    return entry == null ? null : entry.value();
  }

  /** Sets what a resource has; nothing once the index is closed. Returns what it had before. */
  @Nullable
  T put(String name, T value, long size) {
    return locked(() -> {
      T before = remove(name);
      if (!closed) {
        entries.put(name, new Entry<>(value, size));
        bytes += size;
      }
      return before;
    });
  }

  /** Returns what the resource had. */
  @Nullable
  T remove(String name) {
    return locked(() -> {
      Entry<T> before = entries.remove(name);
      bytes -= before == null ? 0 : before.bytes();
      return before == null ? null : before.value();
    });
  }

  /** Counts bytes that belong to no resource yet, or no longer if it is negative. */
  void add(long more) {
    locked(() -> bytes += more);
  }

  /** Chooses the resource that makes room for others; null if there is room, or no resource. */
  @Nullable
  String evict() {
    return locked(() -> {
      if (bytes <= maxBytes || entries.isEmpty()) {
        return null;
      }
      evicted++;
      return entries.keySet().iterator().next();
    });
  }

  long bytes() {
    return locked(() -> bytes);
  }

  long evicted() {
    return locked(() -> evicted);
  }

  Set<String> names() {
    return locked(() -> Set.copyOf(entries.keySet()));
  }

  boolean isClosed() {
    return locked(() -> closed);
  }

  /** Forgets all resources, for good. */
  void close() {
    locked(() -> {
      closed = true;
      names().forEach(this::remove);
      return closed;
    });
  }
}
