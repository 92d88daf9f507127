package heddle.cache;

import heddle.http.Body;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Where an {@link HttpCache} keeps responses: in memory or on disk, up to a number of bytes. The
 * least recently used resource makes room for others. Thread-safe; several caches may share it if
 * they serve the same user.
 */
public abstract sealed class CacheStore implements AutoCloseable permits MemoryStore, DiskStore {
  /** The most responses for one URL, which differ by what Vary names; the oldest makes room. */
  static final int MOST_VARIANTS = 16;

  private final Index<?> index;

  /**
   * @param index of all resources
   */
  CacheStore(Index<?> index) {
    this.index = index;
  }

  /**
   * A store in memory.
   *
   * @param maxBytes of heap, about, for content and fields, also for content that is arriving
   * @throws IllegalArgumentException if it is less than 1
   */
  public static CacheStore inMemory(long maxBytes) {
    return new MemoryStore(new Index<>(maxBytes));
  }

  /**
   * A store in a directory, which is made if it is missing, readable for its owner alone where the
   * system has such permissions. What an earlier program has stored there is used. After a crash
   * all complete entries are used: each has a checksum, and damaged ones are deleted.
   *
   * @param directory for this store alone; files that it has not made stay as they are
   * @param maxBytes of its files, also of those that are being written
   * @throws IOException if it cannot be read or written, or another store is open there, in this
   *     process or another
   * @throws IllegalArgumentException if {@code maxBytes} is less than 1
   */
  public static CacheStore onDisk(Path directory, long maxBytes) throws IOException {
    return DiskStore.open(directory, new Index<>(maxBytes));
  }

  /** The most bytes that it takes. */
  public final long maxBytes() {
    return index.maxBytes();
  }

  /** The bytes that are taken at this moment. */
  public final long bytes() {
    return index.bytes();
  }

  /** How many resources have made room for others since the store was opened. */
  public final long evicted() {
    return index.evicted();
  }

  /**
   * Removes all responses.
   *
   * @throws IOException if files cannot be deleted
   */
  public final void clear() throws IOException {
    for (String each : index.names()) {
      remove(each);
    }
  }

  /**
   * Frees what the store has opened. What is on disk stays; the store then holds nothing.
   *
   * @throws IOException if the directory cannot be given back
   */
  @Override
  public abstract void close() throws IOException;

  /** Removes a resource from the index, and what is stored of it. */
  abstract void remove(String name) throws IOException;

  /** Has the least recently used resources make room until the store is not too full. */
  final void makeRoom() throws IOException {
    for (String eldest; (eldest = index.evict()) != null; ) {
      remove(eldest);
    }
  }

  /** Counts bytes that are about to be written; returns false if there is no room for them. */
  final boolean reserve(long more) throws IOException {
    index.add(more);
    makeRoom();
    boolean fits = index.bytes() <= index.maxBytes();
    if (!fits) {
      index.add(-more);
    }
    return fits;
  }

  /** The responses of a resource; none if they are damaged. */
  abstract List<CachedResponse> find(String key) throws IOException;

  /**
   * Changes the responses of a resource in one step. Content that no response refers to any more is
   * freed.
   *
   * @param change gets all responses, the oldest first, and returns those that remain
   */
  abstract void update(String key, UnaryOperator<List<CachedResponse>> change) throws IOException;

  /**
   * Begins to store content of a resource.
   *
   * @param limit the most bytes
   */
  abstract ContentWriter writer(String key, long limit);

  /** Frees content that was written and will not be part of a response. */
  abstract void free(String key, Content content) throws IOException;

  /** The content of a stored response; null if it is gone or damaged. */
  abstract @Nullable Body open(String key, CachedResponse response) throws IOException;
}
