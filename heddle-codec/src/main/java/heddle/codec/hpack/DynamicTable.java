package heddle.codec.hpack;

import org.jspecify.annotations.Nullable;

/** A dynamic table, RFC 7541 §2.3.2: a ring of entries, bounded by their size. */
class DynamicTable<E extends DynamicTable.Sized> {
  private static final int LEAST_CAPACITY = 16;
  private static final Sized[] NONE = {};

  /** A power of two long; empty until something is added, because many connections are idle. */
  private @Nullable Sized[] ring = NONE;

  private int added; // so far: the place of the next entry in the ring
  private int count;
  private int bytes;
  private int maxBytes;
  private int generation;

  /** An entry. */
  interface Sized {
    /** Octets of name and value and 32 more, RFC 7541 §4.1. */
    int size();
  }

  DynamicTable(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  int added() {
    return added;
  }

  int count() {
    return count;
  }

  /** What all entries take. */
  int bytes() {
    return bytes;
  }

  int maxBytes() {
    return maxBytes;
  }

  int generation() {
    return generation;
  }

  /** Moves the generation on, as each insertion and eviction does. */
  final void touch() {
    generation++;
  }

  /** The entry that is {@code age} entries older than the newest, or null if there is none. */
  @SuppressWarnings("unchecked") // add puts nothing else in
  final @Nullable E get(int age) {
    return age >= 0 && age < count ? (E) ring[(added - 1 - age) & (ring.length - 1)] : null;
  }

  /** Evicts what no longer has room, RFC 7541 §4.3. */
  void setMaxBytes(int newMaxBytes) {
    maxBytes = newMaxBytes;
    evict(0);
  }

  /** Adds an entry; one larger than the table empties it and is not added, RFC 7541 §4.4. */
  void add(E entry) {
    int size = entry.size();
    generation++;
    evict(Math.min(size, maxBytes));
    if (size > maxBytes) {
      return;
    }
    if (count == ring.length) {
      grow();
    }
    ring[added++ & (ring.length - 1)] = entry;
    count++;
    bytes += size;
  }

  private void evict(int needed) {
    while (bytes > maxBytes - needed) {
      E oldest = get(count - 1);
      if (oldest == null) {
        throw new IllegalStateException("an entry of the table has gone");
      }
      ring[(added - count) & (ring.length - 1)] = null;
      count--;
      bytes -= oldest.size();
      generation++;
      onEvicted(oldest, needed > 0);
    }
  }

  /** Called for each entry that has left, either for another or because the bound is lower. */
  void onEvicted(E oldest, boolean isForAnother) {}

  private void grow() {
    @Nullable Sized[] larger = new @Nullable Sized[Math.max(LEAST_CAPACITY, 2 * count)];
    for (int age = 0; age < count; age++) {
      larger[(added - 1 - age) & (larger.length - 1)] = get(age);
    }
    ring = larger;
  }
}
