package heddle.codec.hpack;

import heddle.codec.hpack.IndexingRules.Indexing;
import heddle.http.HeaderName;
import heddle.http.Headers;
import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes the header blocks of one connection, in the order in which they are sent (RFC 7541 §3).
 * Fields that the tables hold are encoded without allocation. Not safe for use by several threads
 * at once: a connection's ordering lock guards it.
 *
 * <p>What is added to the dynamic table: every field but secrets (Authorization,
 * Proxy-Authorization, short cookies: RFC 7541 §7.1.3), those larger than three quarters of the
 * table, and, once their name is in a table, those whose value belongs to one message
 * (Content-Length, ETag, a {@code :path} with a query and the like) or whose name has turned out to
 * bring a new value each time.
 */
public final class HpackEncoder {
  private static final int KEPT_SCRATCH = 512; // between fields: many connections are idle
  private static final int LEAST_SCRATCH = 64;
  private static final int ONE_BYTE_LENGTH = 126; // the longest, with the flag for Huffman
  private static final byte[] NO_BYTES = {};

  private final int ownMaxTableBytes;
  private final IndexingRules rules;
  private final int leastSaving;
  private final EncoderTable table;
  private HpackOutput out = new HpackOutput(0);
  private boolean isUpdateDue; // the next block has to begin with size updates
  private int leastMaxTableBytes; // since the last block
  private byte[] scratch = NO_BYTES; // begins with the value that is being encoded
  private int length; // of that value

  /** An encoder with a table of at most this size, at least 0, whatever the peer allows. */
  public HpackEncoder(int maxTableBytes) {
    this(maxTableBytes, IndexingRules.DEFAULTS, 1);
  }

  /** Uses the Huffman code if it saves at least {@code leastSaving} bytes. */
  HpackEncoder(int maxTableBytes, IndexingRules rules, int leastSaving) {
    if (maxTableBytes < 0) {
      throw new IllegalArgumentException("the table's bound is negative: " + maxTableBytes);
    }
    this.ownMaxTableBytes = maxTableBytes;
    this.rules = rules;
    this.leastSaving = leastSaving;
    // RFC 9113 §6.5.2: until its SETTINGS arrives, the peer allows the protocol's default.
    this.table = new EncoderTable(HpackDecoder.DEFAULT_TABLE_BYTES);
    setMaxTableBytes(HpackDecoder.DEFAULT_TABLE_BYTES);
  }

  /**
   * The peer's SETTINGS_HEADER_TABLE_SIZE, unsigned: the table's bound is this or our own,
   * whichever is less. The next block begins with the size updates that RFC 7541 §4.2 asks for.
   */
  public void setMaxTableBytes(int bytes) {
    int bound = bytes < 0 ? ownMaxTableBytes : Math.min(bytes, ownMaxTableBytes);
    if (bound != table.maxBytes()) {
      leastMaxTableBytes = isUpdateDue ? Math.min(leastMaxTableBytes, bound) : bound;
      isUpdateDue = true;
      table.setMaxBytes(bound);
    }
  }

  /**
   * Changes with each insertion, eviction and change of the table's bound. A block that was encoded
   * within one generation may be sent again, byte for byte, for the same fields while that lasts.
   */
  public int generation() {
    return table.generation();
  }

  /** Begins a block: the fields that follow are added to {@code out}. */
  public void begin(HpackOutput newOut) {
    out = newOut;
    if (isUpdateDue) {
      isUpdateDue = false;
      table.touch(); // sent twice, the updates would empty the peer's table but not ours
      if (leastMaxTableBytes < table.maxBytes()) {
        out.putInteger(0x20, 5, leastMaxTableBytes);
      }
      out.putInteger(0x20, 5, table.maxBytes());
    }
  }

  /**
   * Abandons the block that was begun last: it is not sent. The peer does not know what it added to
   * the table, so both tables are emptied with the next block.
   */
  public void abandon() {
    int bound = table.maxBytes();
    table.setMaxBytes(0);
    table.setMaxBytes(bound);
    leastMaxTableBytes = 0;
    isUpdateDue = true;
  }

  /**
   * Adds a pseudo-header field; each char is one octet.
   *
   * @throws IllegalArgumentException if a char may not stand in a field value (RFC 9110 §5.5), or
   *     white space is at an end; the block may not be sent then, and need not be abandoned
   */
  public void field(Pseudo pseudo, String value) {
    int index = StaticTable.indexOf(pseudo, value);
    if (index > 0) {
      putIndex(index);
      return;
    }
    int nameHash = pseudo.nameHash();
    EncoderTable.Entry newest = table.newest(pseudo, nameHash);
    if (newest != null && newest.holds(value)) {
      putEntry(newest);
      return;
    }
    load(pseudo, value);
    put(pseudo, nameHash, pseudo.firstIndex(), rules.indexing(pseudo, value));
  }

  /** As for a string; the value is copied. */
  public void field(Pseudo pseudo, byte[] value) {
    EncoderTable.Entry newest = table.newest(pseudo, pseudo.nameHash());
    if (newest != null && newest.holds(value)) {
      putEntry(newest);
    } else {
      field(pseudo, new String(value, StandardCharsets.ISO_8859_1));
    }
  }

  /** Adds the field at {@code index} of {@code headers}, whose name is {@code name}. */
  public void field(HeaderName name, Headers headers, int index) {
    int nameHash = name.hashCode();
    EncoderTable.Entry newest = table.newest(name, nameHash);
    if (newest != null && newest.holds(headers, index)) {
      putEntry(newest);
      return;
    }
    IndexingRules.Rule rule = rules.find(name);
    int staticIndex = rule.staticIndex();
    if (staticIndex > 0
        && headers.valueEquals(index, StaticTable.get(staticIndex).value())) {
      putIndex(staticIndex);
      return;
    }
    load(headers, index);
    put(name, nameHash, staticIndex, rule.indexing(length));
  }

  /** Adds a field that no intermediary may compress (RFC 7541 §6.2.3), for a secret. */
  void secret(HeaderName name, Headers headers, int index) {
    load(headers, index);
    put(name, name.hashCode(), rules.find(name).staticIndex(), Indexing.NEVER);
  }

  private void load(Headers headers, int index) {
    length = headers.valueLength(index);
    scratch(length);
    headers.copyValue(index, scratch, 0);
  }

  private void load(Pseudo pseudo, String value) {
    length = value.length();
    scratch(length);
    for (int i = 0; i < length; i++) {
      char c = value.charAt(i);
      if (!Octets.isFieldValue(c)) {
        abandon();
        throw Octets.notInValue(pseudo, c, i);
      }
      scratch[i] = (byte) c;
    }
    if (length > 0 && (Octets.isBlank(scratch[0]) || Octets.isBlank(scratch[length - 1]))) {
      abandon();
      throw Octets.blankAtEnd(pseudo);
    }
  }

  private void scratch(int needed) {
    if (scratch.length < needed) {
      scratch = Arrays.copyOf(scratch, Math.max(needed, LEAST_SCRATCH));
    }
  }

  private void putIndex(int index) {
    out.putInteger(0x80, 7, index); // RFC 7541 §6.1
  }

  private void putEntry(EncoderTable.Entry entry) {
    table.use(entry);
    putIndex(indexOf(entry));
  }

  /** RFC 7541 §2.3.3: the dynamic table's newest entry follows the static table. */
  private int indexOf(EncoderTable.Entry entry) {
    return StaticTable.SIZE + 1 + table.ageOf(entry);
  }

  /** Adds a field whose value is in the scratch. */
  private void put(Object name, int nameHash, int staticIndex, Indexing wanted) {
    if (wanted == Indexing.INCREMENTAL) {
      EncoderTable.Entry known = table.find(name, nameHash, scratch, length);
      if (known != null) {
        putEntry(known);
        return;
      }
    }
    int size = HpackField.OVERHEAD + length(name) + length;
    EncoderTable.Entry newest = staticIndex > 0 ? null : table.newest(name, nameHash);
    int nameIndex = newest == null ? staticIndex : indexOf(newest);
    if (isAdded(nameHash, nameIndex, wanted, size)) {
      putLiteral(name, nameIndex, Indexing.INCREMENTAL);
      table.add(name, nameHash, Arrays.copyOf(scratch, length), size);
    } else {
      putLiteral(name, nameIndex, wanted == Indexing.NEVER ? wanted : Indexing.WITHOUT);
    }
    if (scratch.length > KEPT_SCRATCH) {
      scratch = NO_BYTES;
    }
  }

  private boolean isAdded(int nameHash, int nameIndex, Indexing wanted, int size) {
    // An entry that takes most of the table would evict nearly all entries that repeat.
    if (wanted == Indexing.NEVER || size > table.maxBytes() / 4 * 3) {
      return false;
    }
    // If only the name repeats, it is worth an entry, to which the next fields refer.
    return nameIndex == 0 || (wanted == Indexing.INCREMENTAL && table.isWorthAdding(nameHash));
  }

  /** RFC 7541 §6.2. */
  private void putLiteral(Object name, int nameIndex, Indexing indexing) {
    out.putInteger(indexing.flags, indexing.prefixBits, nameIndex);
    if (nameIndex == 0) {
      scratch(length + length(name));
      putString(length, copyOf(name, scratch, length) - length);
    }
    putString(0, length);
  }

  /** Adds a string that stands in the scratch, RFC 7541 §5.2. */
  private void putString(int off, int len) {
    if (len <= ONE_BYTE_LENGTH ? !putShortHuffman(off, len) : !putLongHuffman(off, len)) {
      out.putInteger(0, 7, len);
      out.put(scratch, off, len);
    }
  }

  /** Encodes behind a length of one byte, and gives up if that saves nothing. */
  private boolean putShortHuffman(int off, int len) {
    out.ensure(len + 2);
    int from = out.length() + 1;
    int most = Math.min(len - leastSaving, ONE_BYTE_LENGTH);
    int after = Huffman.encode(scratch, off, len, out.array(), from, from + most);
    if (after < 0) {
      return false;
    }
    out.array()[from - 1] = (byte) (0x80 | (after - from));
    out.setLength(after);
    return true;
  }

  private boolean putLongHuffman(int off, int len) {
    int encoded = Huffman.encodedLength(scratch, off, len);
    if (len - encoded < leastSaving) {
      return false;
    }
    out.putInteger(0x80, 7, encoded);
    out.ensure(encoded);
    int from = out.length();
    out.setLength(Huffman.encode(scratch, off, len, out.array(), from, from + encoded));
    return true;
  }

  private static int length(Object name) {
    return name instanceof HeaderName header ? header.length() : ((Pseudo) name).length();
  }

  private static int copyOf(Object name, byte[] dst, int at) {
    return name instanceof HeaderName header
        ? header.copyLowerCaseTo(dst, at)
        : ((Pseudo) name).copyTo(dst, at);
  }
}
