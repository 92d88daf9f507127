package heddle.codec.hpack;

import heddle.http.Headers;
import heddle.http.syntax.Octets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * An encoder's dynamic table, RFC 7541 §2.3.2, searched by name and by name and value. A name is a
 * {@code HeaderName} or a {@link Pseudo}, and comes with its hash.
 *
 * <p>It also learns which names are fruitless to index: those whose values never come twice before
 * they are evicted. They would cost both sides work, and evict entries that do repeat.
 */
final class EncoderTable extends DynamicTable<EncoderTable.Entry> {
  private static final int BUCKETS = 32;
  private static final @Nullable Entry[] NONE = {};

  private static final int FRUITLESS = 8; // entries of a name in a row that were evicted unused
  private static final int UNTIL_RETRIAL = 32; // of its fields: values may repeat by then

  // By bucket; each array is empty until an entry is added, because many connections are idle.
  private @Nullable Entry[] byName = NONE; // the newest entry, then from newer to older
  private @Nullable Entry[] byField = NONE; // the same for name and value together
  private byte[] fruitless = {}; // how fruitless names are, beyond FRUITLESS until a retrial

  EncoderTable(int maxBytes) {
    super(maxBytes);
  }

  static final class Entry implements Sized {
    private final Object name;
    private final int nameHash;
    private final byte[] value;
    private final int valueHash;
    private final int size;
    private final int sequence;
    private @Nullable Entry olderByName;
    private @Nullable Entry olderByField;
    private @Nullable String text; // last given for it: usually the same one is given again
    private boolean isUsed;

    private Entry(Object name, int nameHash, byte[] value, int valueHash, int size, int sequence) {
      this.name = name;
      this.nameHash = nameHash;
      this.value = value;
      this.valueHash = valueHash;
      this.size = size;
      this.sequence = sequence;
    }

    @Override
    public int size() {
      return size;
    }

    boolean holds(Headers headers, int index) {
      return headers.valueEquals(index, value);
    }

    boolean holds(byte[] other) {
      return Arrays.equals(value, other);
    }

    boolean holds(String other) {
      String known = text;
      if (known != null) {
        return known.equals(other);
      }
      if (!Octets.equals(value, 0, value.length, other)) {
        return false;
      }
      text = other;
      return true;
    }
  }

  int ageOf(Entry entry) {
    return added() - 1 - entry.sequence;
  }

  /** The newest entry with this name, or null. */
  @Nullable
  Entry newest(Object name, int nameHash) {
    if (count() > 0) {
      Entry entry = byName[nameHash & (BUCKETS - 1)];
      for (; entry != null; entry = entry.olderByName) {
        if (entry.nameHash == nameHash && entry.name.equals(name)) {
          return entry;
        }
      }
    }
    return null;
  }

  /** The entry with this name and value, or null. */
  @Nullable
  Entry find(Object name, int nameHash, byte[] buf, int len) {
    if (count() > 0) {
      int valueHash = hash(buf, len);
      Entry entry = byField[fieldBucket(nameHash, valueHash)];
      for (; entry != null; entry = entry.olderByField) {
        if (entry.valueHash == valueHash
            && entry.nameHash == nameHash
            && Arrays.equals(entry.value, 0, entry.value.length, buf, 0, len)
            && entry.name.equals(name)) {
          return entry;
        }
      }
    }
    return null;
  }

  private static int hash(byte[] buf, int len) {
    int hash = 0;
    for (int i = 0; i < len; i++) {
      hash = hash * 31 + buf[i];
    }
    return hash;
  }

  private static int fieldBucket(int nameHash, int valueHash) {
    return (nameHash * 31 + valueHash) & (BUCKETS - 1);
  }

  /** Notes that indexing the entry has paid. */
  void use(Entry entry) {
    if (!entry.isUsed) {
      entry.isUsed = true;
      fruitless[entry.nameHash & (BUCKETS - 1)] = 0;
    }
  }

  /** Whether a field with this name should be added; call it once for each field. */
  boolean isWorthAdding(int nameHash) {
    int bucket = nameHash & (BUCKETS - 1);
    if (count() == 0 || fruitless[bucket] < FRUITLESS) {
      return true;
    }
    if (fruitless[bucket] < FRUITLESS + UNTIL_RETRIAL) {
      fruitless[bucket]++;
      return false;
    }
    fruitless[bucket] = FRUITLESS;
    return true;
  }

  /** Adds an entry that is not larger than the table, RFC 7541 §4.4. */
  void add(Object name, int nameHash, byte[] value, int size) {
    if (byName.length == 0) {
      byName = new @Nullable Entry[BUCKETS];
      byField = new @Nullable Entry[BUCKETS];
      fruitless = new byte[BUCKETS];
    }
    int valueHash = hash(value, value.length);
    Entry entry = new Entry(name, nameHash, value, valueHash, size, added());
    add(entry);
    int nameBucket = nameHash & (BUCKETS - 1);
    entry.olderByName = byName[nameBucket];
    byName[nameBucket] = entry;
    int fieldBucket = fieldBucket(nameHash, valueHash);
    entry.olderByField = byField[fieldBucket];
    byField[fieldBucket] = entry;
  }

  /** Changes the bound and the generation, and evicts what no longer has room, RFC 7541 §4.3. */
  @Override
  void setMaxBytes(int newMaxBytes) {
    super.setMaxBytes(newMaxBytes);
    touch();
  }

  @Override
  void onEvicted(Entry oldest, boolean isForAnother) {
    unlink(oldest);
    int bucket = oldest.nameHash & (BUCKETS - 1);
    if (isForAnother && !oldest.isUsed && fruitless[bucket] < FRUITLESS) {
      fruitless[bucket]++;
    }
  }

  /** Takes the oldest entry of all out of both its chains, in which it is the last. */
  private void unlink(Entry oldest) {
    int nameBucket = oldest.nameHash & (BUCKETS - 1);
    Entry newer = byName[nameBucket];
    if (newer == oldest) {
      byName[nameBucket] = null;
    } else {
      while (newer != null && newer.olderByName != oldest) {
        newer = newer.olderByName;
      }
      if (newer != null) newer.olderByName = null;
    }
    int fieldBucket = fieldBucket(oldest.nameHash, oldest.valueHash);
    newer = byField[fieldBucket];
    if (newer == oldest) {
      byField[fieldBucket] = null;
    } else {
      while (newer != null && newer.olderByField != oldest) {
        newer = newer.olderByField;
      }
      if (newer != null) newer.olderByField = null;
    }
  }
}
