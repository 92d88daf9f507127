package heddle.codec.hpack;

import heddle.codec.hpack.HpackException.Reason;
import heddle.http.HeaderName;
import heddle.http.failure.MalformedMessageException.Kind;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Decodes the header blocks of one connection, in the order in which they arrive (RFC 7541 §3). A
 * block of fields that the tables hold is decoded without allocation. It holds at most the dynamic
 * table and a kilobyte between blocks, and while it decodes one not much more than the block's own
 * length again. Not safe for use by several threads.
 */
public final class HpackDecoder {
  static final int DEFAULT_TABLE_BYTES = 4_096; // before any SETTINGS, RFC 9113 §6.5.2
  private static final int KEPT_SCRATCH = 512; // between blocks: many connections are idle
  private static final byte[] NO_BYTES = {};

  private final int maxTableBytes;
  private final int maxListBytes;
  private final int maxFields;
  private final DynamicTable<HpackField> table = new DynamicTable<>(DEFAULT_TABLE_BYTES);
  private @Nullable RecentLiterals recent;
  private int allowedTableBytes; // how large the peer may make the table now

  // The block that is being decoded, and how far.
  private byte[] block = NO_BYTES;
  private int start;
  private int at;
  private int end;
  private long listBytes;
  private int fields;

  // The string that was read last: in the block itself, or decoded in the scratch.
  private byte[] text = NO_BYTES;
  private int textOff;
  private int textLength;
  private byte[] scratch = NO_BYTES;

  /**
   * @param maxTableBytes what we advertise as SETTINGS_HEADER_TABLE_SIZE, at least 0
   * @param maxListBytes how much all fields of a block may take, each as {@link HpackField#size}
   *     counts; what we advertise as SETTINGS_MAX_HEADER_LIST_SIZE
   * @param maxFields how many fields a block may have
   */
  public HpackDecoder(int maxTableBytes, int maxListBytes, int maxFields) {
    if (maxTableBytes < 0 || maxListBytes < 0 || maxFields < 0) {
      throw new IllegalArgumentException("a bound is negative: table " + maxTableBytes + ", list "
          + maxListBytes + ", fields " + maxFields);
    }
    this.maxTableBytes = maxTableBytes;
    this.maxListBytes = maxListBytes;
    this.maxFields = maxFields;
    // RFC 7541 §4.2: until our SETTINGS has arrived the peer uses the protocol's default.
    allowedTableBytes = Math.max(DEFAULT_TABLE_BYTES, maxTableBytes);
  }

  /** The peer knows our table size: a larger table, such as the protocol's, is refused now. */
  public void settingsAcknowledged() {
    allowedTableBytes = maxTableBytes;
  }

  /**
   * Changes whenever an entry is added to the dynamic table or leaves it. A block during which it
   * did not change means the same fields, instance for instance, as long as it is the same.
   */
  public int generation() {
    return table.generation();
  }

  /** What the entries of the dynamic table take, in bytes, as RFC 7541 §4.1 counts. */
  public int tableBytes() {
    return table.bytes();
  }

  /** What the fields of the block decoded last take, as {@link HpackField#size} counts. */
  public int listBytes() {
    return (int) Math.min(listBytes, Integer.MAX_VALUE);
  }

  /**
   * Decodes one whole header block. The sink must not throw.
   *
   * @throws HpackException if the block is invalid, after which the decoder is of no further use,
   *     or, with reason {@link Reason#LIST_TOO_LARGE}, if its fields take more than is accepted,
   *     after which the decoder goes on. The sink got the fields up to there.
   */
  public void decode(byte[] buf, int off, int len, HpackSink sink) throws HpackException {
    Objects.checkFromIndexSize(off, len, buf.length);
    block = buf;
    start = off;
    at = off;
    end = off + len;
    listBytes = 0;
    fields = 0;
    try {
      takeSizeUpdates();
      while (at < end) {
        int first = buf[at];
        if (first < 0) {
          tell(entry(integer(7)), sink);
        } else if ((first & 0x40) != 0) {
          tell(takeIndexed(), sink);
        } else if ((first & 0x20) == 0) {
          takeUnindexed((first & 0x10) != 0, sink);
        } else {
          throw fault("a table size update stands behind a field"); // RFC 7541 §4.2
        }
      }
    } finally {
      block = NO_BYTES;
      text = NO_BYTES;
      if (scratch.length > KEPT_SCRATCH) {
        scratch = NO_BYTES;
      }
    }
    if (isPastBounds()) {
      throw new HpackException(
          Reason.LIST_TOO_LARGE,
          fields + " fields of " + listBytes + " bytes in all, at most " + maxFields + " of "
              + maxListBytes + " bytes are accepted");
    }
  }

  /** RFC 7541 §6.3. */
  private void takeSizeUpdates() throws HpackException {
    while (at < end && (block[at] & 0xE0) == 0x20) {
      int size = integer(5);
      if (size > allowedTableBytes) {
        throw fault("a table of " + size + " bytes is announced, we allow " + allowedTableBytes);
      }
      table.setMaxBytes(size);
    }
    if (at < end && table.maxBytes() > allowedTableBytes) {
      // RFC 7541 §4.2: the first block after the acknowledgement has to begin with the update.
      throw fault("no table size update follows our SETTINGS, which allow " + allowedTableBytes
          + " bytes instead of " + table.maxBytes());
    }
  }

  private boolean isPastBounds() {
    return listBytes > maxListBytes || fields > maxFields;
  }

  /** Counts a field by its decoded size, so that small references to large entries are seen. */
  private boolean count(int size) {
    listBytes += size;
    fields++;
    return !isPastBounds();
  }

  private static void report(HpackField field, HpackSink sink) {
    if (field.fault == null) {
      sink.field(field);
    } else {
      sink.malformed(
          field.isUnknownPseudo() ? Kind.UNKNOWN_PSEUDO_FIELD : Kind.BAD_FIELD, field.fault);
    }
  }

  private void tell(HpackField field, HpackSink sink) {
    if (count(field.size())) {
      report(field, sink);
    }
  }

  /** RFC 7541 §2.3.3: the static table's entries, then the dynamic one's from the newest. */
  private HpackField entry(int index) throws HpackException {
    if (index <= StaticTable.SIZE && index > 0) {
      return StaticTable.get(index);
    }
    HpackField field = table.get(index - StaticTable.SIZE - 1);
    if (field == null) {
      throw fault("index " + index + " is in no table: the highest one is "
          + (StaticTable.SIZE + table.count()));
    }
    return field;
  }

  /** RFC 7541 §6.2.1. */
  private HpackField takeIndexed() throws HpackException {
    HpackField named = readName(6);
    readString();
    HpackField field = named.withValue(textBytes(), false);
    table.add(field);
    return field;
  }

  /** RFC 7541 §6.2.2 and §6.2.3. */
  private void takeUnindexed(boolean neverIndexed, HpackSink sink) throws HpackException {
    HpackField named = readName(4);
    int from = at;
    int length = neverIndexed ? 0 : shortStringLength();
    HpackField known = length == 0 ? null : recent().find(named, block, from, length);
    if (known != null) {
      at += length;
      tell(known, sink);
      return;
    }
    readString();
    if (count(named.sizeWith(textLength))) {
      HpackField field = named.withValue(textBytes(), neverIndexed);
      if (length > 0 && field.fault == null) {
        recent().offer(field, block, from, length);
      }
      report(field, sink);
    }
  }

  /** The bytes of the string literal that is next, or 0 when it is too long to be kept, or cut. */
  private int shortStringLength() {
    if (at == end) {
      return 0;
    }
    int length = 1 + (block[at] & 0x7F);
    return length <= RecentLiterals.MOST_BYTES && length <= end - at ? length : 0;
  }

  private RecentLiterals recent() {
    recent = recent == null ? new RecentLiterals() : recent;
    return recent;
  }

  /** A field without a value, with the name that a literal refers to or brings, RFC 7541 §6.2. */
  private HpackField readName(int prefixBits) throws HpackException {
    int index = integer(prefixBits);
    if (index > 0) {
      return entry(index);
    }
    readString();
    Pseudo pseudo = Pseudo.find(text, textOff, textLength);
    if (pseudo != null) {
      return HpackField.of(pseudo, NO_BYTES);
    }
    String fault = HpackField.faultOfName(text, textOff, textLength);
    return fault == null
        ? HpackField.of(HeaderName.of(text, textOff, textLength), NO_BYTES)
        : HpackField.withoutName(textLength, fault);
  }

  private byte[] textBytes() {
    return Arrays.copyOfRange(text, textOff, textOff + textLength);
  }

  /** RFC 7541 §5.2. */
  private void readString() throws HpackException {
    boolean isHuffman = at < end && block[at] < 0;
    int length = integer(7);
    if (length > end - at) {
      throw fault("a string of " + length + " bytes has only " + (end - at) + " left");
    }
    if (isHuffman) {
      int room = Huffman.maxDecodedLength(length);
      if (scratch.length < room) {
        scratch = new byte[Math.max(room, Math.min(KEPT_SCRATCH, 2 * room))];
      }
      int decoded = Huffman.decode(block, at, length, scratch);
      if (decoded < 0) {
        throw fault("a string is not in the Huffman code, or not padded with up to 7 ones");
      }
      text = scratch;
      textOff = 0;
      textLength = decoded;
    } else {
      text = block;
      textOff = at;
      textLength = length;
    }
    at += length;
  }

  /** An integer whose first bits share a byte with others, RFC 7541 §5.1. */
  private int integer(int prefixBits) throws HpackException {
    if (at >= end) {
      throw fault("the block ends where an integer is due");
    }
    int most = (1 << prefixBits) - 1;
    int prefix = block[at++] & most;
    if (prefix < most) {
      return prefix;
    }
    long value = most;
    // Five bytes hold whatever an int does; more of them are an overflow or idle zeros.
    for (int shift = 0; shift < 35 && at < end; shift += 7) {
      int next = block[at++];
      value += (long) (next & 0x7F) << shift;
      if (next >= 0) {
        if (value > Integer.MAX_VALUE) {
          break;
        }
        return (int) value;
      }
    }
    throw fault(
        at == end && value <= Integer.MAX_VALUE
            ? "the block ends within an integer"
            : "an integer is beyond 2^31-1");
  }

  private HpackException fault(String what) {
    return new HpackException(
        Reason.COMPRESSION_ERROR, what + ", at byte " + (at - start) + " of the block");
  }
}
