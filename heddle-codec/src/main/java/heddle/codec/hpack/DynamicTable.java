package heddle.codec.hpack;

import org.jspecify.annotations.Nullable;

/** A decoder's dynamic table, RFC 7541 §2.3.2: a ring of fields, bounded by their size. */
final class DynamicTable {
  private static final int LEAST_CAPACITY = 16;
  private static final HpackField[] NONE = {};

  /** A power of two long, or empty as long as nothing was added. */
  private @Nullable HpackField[] ring = NONE;

  /** Entries that were ever added: the next one goes to this place of the ring. */
  private int added;

  private int count;
  private int bytes;
  private int maxBytes;
  private int generation;

  DynamicTable(int maxBytes) {
    this.maxBytes = maxBytes;
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

  /** The entry that is {@code age} entries older than the newest, or null if there is none. */
  @Nullable
  HpackField get(int age) {
    return age >= 0 && age < count ? ring[(added - 1 - age) & (ring.length - 1)] : null;
  }

  /** Evicts what no longer has room, RFC 7541 §4.3. */
  void setMaxBytes(int newMaxBytes) {
    maxBytes = newMaxBytes;
    evictUntilFree(0);
  }

  /** Adds an entry; one larger than the table empties it and is not added, RFC 7541 §4.4. */
  void add(HpackField field) {
    generation++;
    evictUntilFree(Math.min(field.size(), maxBytes));
    if (field.size() > maxBytes) {
      return;
    }
    if (count == ring.length) {
      grow();
    }
    ring[added++ & (ring.length - 1)] = field;
    count++;
    bytes += field.size();
  }

  private void evictUntilFree(int needed) {
    while (bytes > maxBytes - needed) {
      int oldest = (added - count) & (ring.length - 1);
      HpackField evicted = ring[oldest];
      if (evicted == null) {
        throw new IllegalStateException("an entry of the table has gone");
      }
      ring[oldest] = null;
      count--;
      bytes -= evicted.size();
      generation++;
    }
  }

  private void grow() {
    @Nullable HpackField[] larger = new @Nullable HpackField[Math.max(LEAST_CAPACITY, 2 * count)];
    for (int age = 0; age < count; age++) {
      larger[(added - 1 - age) & (larger.length - 1)] = get(age);
    }
    ring = larger;
  }
}
