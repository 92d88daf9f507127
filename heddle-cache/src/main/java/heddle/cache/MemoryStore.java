package heddle.cache;

import heddle.http.Body;
import heddle.http.MediaType;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** A store whose content is in the heap. */
final class MemoryStore extends CacheStore {
  private static final int FIRST_BUFFER = 1 << 10; // grows with what has arrived

  private final Index<List<CachedResponse>> index;

  /** Held while the responses of a resource change; taken before the lock of the index. */
  private final ReentrantLock updating = new ReentrantLock();

  MemoryStore(Index<List<CachedResponse>> index) {
    super(index);
    this.index = index;
  }

  @Override
  List<CachedResponse> find(String key) {
    List<CachedResponse> found = index.get(key);
    return found == null ? List.of() : found;
  }

  @Override
  void update(String key, UnaryOperator<List<CachedResponse>> change) throws IOException {
    updating.lock();
    try {
      List<CachedResponse> after = List.copyOf(change.apply(find(key)));
      if (after.isEmpty()) {
        index.remove(key);
      } else {
        index.put(key, after, size(key, after));
      }
    } finally {
      updating.unlock();
    }
    makeRoom();
  }

  private static long size(String key, List<CachedResponse> responses) {
    long size = key.length();
    for (CachedResponse each : responses) {
      size += each.headBytes() + each.content().length();
    }
    return size;
  }

  @Override
  void remove(String name) {
    index.remove(name);
  }

  @Override
  ContentWriter writer(String key, long limit) {
    return new ContentWriter(limit) {
      private byte[] buffer = {};
      private int size;

      @Override
      boolean append(byte[] source, int offset, int count) throws IOException {
        if (count > buffer.length - size) {
          long needed = (long) size + count;
          long doubled = Math.min(limit, Math.max(FIRST_BUFFER, 2L * buffer.length));
          long capacity = Math.max(needed, doubled);
          if (capacity > Integer.MAX_VALUE - 8 || !reserve(capacity - buffer.length)) {
            return false;
          }
          buffer = Arrays.copyOf(buffer, (int) capacity);
        }
        System.arraycopy(source, offset, buffer, size, count);
        size += count;
        return true;
      }

      @Override
      Content finish() {
        index.add(-buffer.length); // Counted with the response from now on.
        return new Content.Bytes(size == buffer.length ? buffer : Arrays.copyOf(buffer, size));
      }

      @Override
      void drop() {
        index.add(-buffer.length);
        buffer = new byte[0];
      }
    };
  }

  @Override
  void free(String key, Content content) {
    // The garbage collector does.
  }

  @Override
  Body open(String key, CachedResponse response) {
    byte[] content = ((Content.Bytes) response.content()).bytes();
    MediaType mediaType = response.mediaType();
    return mediaType == null ? Body.of(content) : Body.of(content, mediaType);
  }

  @Override
  public void close() {
    index.close();
  }
}
