package heddle.cache;

import heddle.http.Body;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The store as calls use it: one that fails costs answers from it, and never a call. Keeps a
 * response from being stored if its resource was invalidated while it arrived. Thread-safe.
 */
final class FailSafeStore {
  private static final System.Logger LOG = System.getLogger("heddle.cache");

  /** Resources whose digests share a slot are taken to be invalidated together. */
  private static final int SLOTS = 1024;

  private final CacheStore store;
  private final Counters counters;

  /** How often the resources of a slot were invalidated. */
  private final AtomicLongArray invalidations = new AtomicLongArray(SLOTS);

  FailSafeStore(CacheStore store, Counters counters) {
    this.store = store;
    this.counters = counters;
  }

  /** The store itself, whose failures are thrown. */
  CacheStore unguarded() {
    return store;
  }

  /** An operation of the store. */
  private interface Step<T extends @Nullable Object> {
    T take() throws IOException;
  }

  private <T extends @Nullable Object> T attempt(Step<T> step, T otherwise)
      throws InterruptedIOException {
    try {
      return step.take();
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException e) {
      failed(e);
      return otherwise;
    }
  }

  private void failed(IOException e) {
    counters.failures.increment();
    // The first is worth an administrator's attention; a full disk would log each call.
    Level level = counters.failures.sum() == 1 ? Level.WARNING : Level.DEBUG;
    LOG.log(level, "the cache's store failed: " + e, e);
  }

  List<CachedResponse> find(String key) throws InterruptedIOException {
    return attempt(() -> store.find(key), List.of());
  }

  /** The content of a response; null if it is lost, and the response is forgotten then. */
  @Nullable
  Body open(String key, CachedResponse response) throws InterruptedIOException {
    Body body = attempt(() -> store.open(key, response), null);
    if (body == null) {
      remove(key, response);
    }
    return body;
  }

  void remove(String key, CachedResponse response) throws InterruptedIOException {
    update(
        key,
        before -> before.stream().filter(each -> !each.hasContentOf(response)).toList());
  }

  /** Replaces a response, unless it has been replaced already. */
  void replace(String key, CachedResponse old, CachedResponse by) throws InterruptedIOException {
    update(key, before -> before.stream()
        .map(each -> each.hasContentOf(old) ? by : each)
        .toList());
  }

  private void update(String key, UnaryOperator<List<CachedResponse>> change)
      throws InterruptedIOException {
    attempt(
        () -> {
          store.update(key, change);
          return true;
        },
        false);
  }

  /** Forgets all responses of a resource, also those that are arriving: section 4.4. */
  void invalidate(String key) throws InterruptedIOException {
    invalidations.incrementAndGet(slot(key));
    update(key, before -> List.of());
  }

  /** To be asked before a request is sent, and given to {@link #tape} with its response. */
  long mark(String key) {
    return invalidations.get(slot(key));
  }

  private static int slot(String key) {
    return Math.floorMod(key.hashCode(), SLOTS);
  }

  /**
   * Stores a response once all its content was written.
   *
   * @param head the response without its content
   * @param limit the most bytes
   */
  TeeBody.Tape tape(Lookup asked, CachedResponse head, long limit, long mark) {
    ContentWriter writer = store.writer(asked.key(), limit);
    return new TeeBody.Tape() {
      @Override
      public void write(byte[] bytes, int offset, int count) {
        quietly(() -> writer.write(bytes, offset, count));
      }

      @Override
      public void complete() {
        quietly(() -> {
          Content content = writer.complete();
          if (content != null) {
            add(asked, head.withContent(content), mark);
          }
        });
      }

      @Override
      public void abandon() {
        quietly(writer::abandon);
      }
    };
  }

  /** An operation of the store that must not fail the thread that reads a response. */
  private interface Quiet {
    void take() throws IOException;
  }

  private void quietly(Quiet step) {
    try {
      step.take();
    } catch (InterruptedIOException e) {
      // Its flag is set again, so that the reader notices.
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      failed(e);
    }
  }

  private void add(Lookup asked, CachedResponse response, long mark) throws IOException {
    boolean[] added = {false};
    try {
      store.update(asked.key(), before -> {
        added[0] = mark(asked.key()) == mark
            && before.stream()
                .noneMatch(each ->
                    each.variant().matches(asked) && each.requestedAt() > response.requestedAt());
        return added[0] ? with(asked, response, before) : before;
      });
    } catch (IOException e) {
      added[0] = false;
      throw e;
    } finally {
      if (added[0]) {
        counters.stored.increment();
      } else {
        store.free(asked.key(), response.content());
      }
    }
  }

  /** It replaces those that its request would have selected: the most recent is used anyway. */
  private static List<CachedResponse> with(
      Lookup asked, CachedResponse response, List<CachedResponse> before) {
    List<CachedResponse> after = new ArrayList<>();
    for (CachedResponse each : before) {
      if (!each.variant().matches(asked)) {
        after.add(each);
      }
    }
    after.add(response);
    return after.size() > CacheStore.MOST_VARIANTS ? after.subList(1, after.size()) : after;
  }
}
