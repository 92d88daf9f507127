package heddle.codec.http2;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The streams that are open, by id. Any thread may look one up without a lock; {@link #add}, {@link
 * #remove} and the rest are guarded by the driver's ordering lock.
 *
 * <p>An open-addressed table in which an entry never moves: a slot that was emptied does not end a
 * search, only the greatest distance at which an entry was ever put does. So a reader that runs
 * concurrently with a writer finds each stream that was added before it looked.
 */
final class StreamTable {
  private static final int LEAST_CAPACITY = 16;

  /** Slots of an empty table: enough for the hundred streams that most servers allow. */
  private static final int MOST_KEPT = 256;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Http2Stream[].class);

  /** An array of slots, and how far from its own slot an entry may stand. */
  private static final class Slots {
    private final @Nullable Http2Stream[] streams;
    private final int shift;
    private volatile int farthest;

    Slots(int capacity) {
      streams = new @Nullable Http2Stream[capacity];
      shift = Integer.numberOfLeadingZeros(capacity) + 1;
    }

    /** Spreads ids that follow each other, or that a peer chose to collide (Fibonacci hashing). */
    int home(int id) {
      return (id >>> 1) * 0x9E3779B1 >>> shift;
    }

    void put(Http2Stream stream) {
      int mask = streams.length - 1;
      int home = home(stream.id());
      int distance = 0;
      while (streams[home + distance & mask] != null) {
        distance++;
      }
      if (distance > farthest) {
        farthest = distance; // before the entry can be seen
      }
      SLOT.setRelease(streams, home + distance & mask, stream);
    }
  }

  private volatile Slots slots = new Slots(LEAST_CAPACITY);

  /** Guarded by the lock. */
  private int size;

  /** The stream with this id, or null. */
  @Nullable
  Http2Stream find(int id) {
    Slots now = slots;
    int mask = now.streams.length - 1;
    int home = now.home(id);
    int farthest = now.farthest;
    for (int distance = 0; distance <= farthest; distance++) {
      Http2Stream found = (Http2Stream) SLOT.getAcquire(now.streams, home + distance & mask);
      if (found != null && found.id() == id) {
        return found;
      }
    }
    return null;
  }

  /** Adds a stream whose id is not in the table. */
  void add(Http2Stream stream) {
    if (2 * (size + 1) > slots.streams.length) {
      rebuild(2 * slots.streams.length);
    }
    slots.put(stream);
    size++;
  }

  /** Removes a stream if it is there. */
  void remove(Http2Stream stream) {
    Slots now = slots;
    int mask = now.streams.length - 1;
    int home = now.home(stream.id());
    for (int distance = 0; distance <= now.farthest; distance++) {
      int slot = home + distance & mask;
      if (now.streams[slot] == stream) {
        SLOT.setRelease(now.streams, slot, null);
        size--;
        if (size > 0) {
          return;
        }
        if (now.streams.length > MOST_KEPT) {
          slots = new Slots(MOST_KEPT); // without those that many streams needed
        } else if (now.farthest > 0) {
          now.farthest = 0; // there is no entry that a search could miss
        }
        return;
      }
    }
  }

  private void rebuild(int capacity) {
    Slots grown = new Slots(capacity);
    for (Http2Stream stream : slots.streams) {
      if (stream != null) {
        grown.put(stream);
      }
    }
    slots = grown;
  }

  /** The streams, in no order; without the lock, a snapshot that may be outdated. */
  List<Http2Stream> streams() {
    Slots now = slots;
    List<Http2Stream> all = new ArrayList<>();
    for (int i = 0; i < now.streams.length; i++) {
      Http2Stream stream = (Http2Stream) SLOT.getAcquire(now.streams, i);
      if (stream != null) {
        all.add(stream);
      }
    }
    return all;
  }
}
