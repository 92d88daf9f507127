package heddle.codec.hpack;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The last short fields that came as literals without indexing: a Content-Length, say, which most
 * encoders never index and which often is the same. One that comes again is the same instance, and
 * costs neither decoding nor allocation. It holds half a kilobyte of octets at most.
 */
final class RecentLiterals {
  static final int MOST_BYTES = 24; // of a string literal that is kept, its length included
  private static final int SLOTS = 8;

  private final @Nullable HpackField[] fields = new @Nullable HpackField[SLOTS];

  // The string literal of the value of the field in the same slot.
  private final byte[] octets = new byte[SLOTS * MOST_BYTES];
  private final int[] lengths = new int[SLOTS];

  /** Hashes: a literal is kept only when it comes a second time, because most do not. */
  private final int[] seen = new int[SLOTS];

  private int hash; // that was last looked for

  /** The field with the name of {@code named} and this string literal, or null. */
  @Nullable
  HpackField find(HpackField named, byte[] buf, int off, int len) {
    int h = named.nameHash();
    for (int i = off; i < off + len; i++) {
      h = h * 31 + buf[i];
    }
    hash = h;
    int slot = slot(h);
    HpackField field = fields[slot];
    boolean isSame = field != null
        && lengths[slot] == len
        && Arrays.equals(octets, slot * MOST_BYTES, slot * MOST_BYTES + len, buf, off, off + len)
        && field.pseudo() == named.pseudo()
        && Objects.equals(field.name(), named.name());
    return isSame ? field : null;
  }

  /** Offers the field that the last look-up did not find. */
  void offer(HpackField field, byte[] buf, int off, int len) {
    int slot = slot(hash);
    if (seen[slot] != hash) {
      seen[slot] = hash;
      return;
    }
    fields[slot] = field;
    lengths[slot] = len;
    System.arraycopy(buf, off, octets, slot * MOST_BYTES, len);
  }

  private static int slot(int hash) {
    return (hash * 0x9E3779B1) >>> 29;
  }
}
