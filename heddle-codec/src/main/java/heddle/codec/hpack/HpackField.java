package heddle.codec.hpack;

import heddle.http.HeaderName;
import heddle.http.syntax.Octets;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A field line that was decoded: the name of a field or of a pseudo-header field, and its value.
 * Never altered, so safe to share.
 *
 * <p>Each entry of the static table and of a decoder's dynamic table is one instance, given to the
 * sink whenever the peer refers to it. A receiver that sees the same instances again knows, without
 * comparing bytes, that the peer has sent the same fields again.
 */
public final class HpackField implements DynamicTable.Sized {
  /** What an entry costs beyond its octets, RFC 7541 §4.1. */
  public static final int OVERHEAD = 32;

  private static final byte[] NO_BYTES = {};
  private static final String UNKNOWN_PSEUDO =
      "a field name begins with a colon and is no known pseudo-header field";

  private final @Nullable HeaderName name;
  private final @Nullable Pseudo pseudo;
  private final byte[] value;
  private final int nameLength;
  private final boolean neverIndexed;

  /** Why the field is malformed (RFC 9113 §8.2.1), or null. Never null without a name. */
  final @Nullable String fault;

  private final int size;

  private HpackField(
      @Nullable HeaderName name,
      @Nullable Pseudo pseudo,
      int nameLength,
      byte[] value,
      boolean neverIndexed,
      @Nullable String fault) {
    this.name = name;
    this.pseudo = pseudo;
    this.nameLength = nameLength;
    this.value = value;
    this.neverIndexed = neverIndexed;
    this.fault = fault;
    this.size = nameLength + value.length + OVERHEAD;
  }

  static HpackField of(HeaderName name, byte[] value) {
    return new HpackField(name, null, name.length(), value, false, null);
  }

  static HpackField of(Pseudo pseudo, byte[] value) {
    return new HpackField(null, pseudo, pseudo.length(), value, false, null);
  }

  /** A field whose name is not valid; the table has to hold such ones too. */
  static HpackField withoutName(int nameLength, String fault) {
    return new HpackField(null, null, nameLength, NO_BYTES, false, fault);
  }

  /** A field with this one's name. */
  HpackField withValue(byte[] newValue, boolean isNeverIndexed) {
    Object named = pseudo != null ? pseudo : name;
    String newFault = named == null ? fault : faultOfValue(named, newValue);
    return new HpackField(name, pseudo, nameLength, newValue, isNeverIndexed, newFault);
  }

  /** Why the octets are not a field name of HTTP/2 (RFC 9113 §8.2.1), or null if they are. */
  static @Nullable String faultOfName(byte[] buf, int off, int len) {
    if (len == 0) {
      return "a field name is empty";
    }
    if (buf[off] == ':') {
      return UNKNOWN_PSEUDO;
    }
    for (int i = 0; i < len; i++) {
      int c = buf[off + i] & 0xFF;
      boolean isCapital = c >= 'A' && c <= 'Z';
      if (!Octets.isToken(c) || isCapital) {
        String fault = isCapital ? "is a capital letter" : "may not stand there";
        return Octets.describe(c) + " at index " + i + " of a field name " + fault;
      }
    }
    return null;
  }

  /** Why the octets are not a field value (RFC 9110 §5.5), or null if they are. */
  private static @Nullable String faultOfValue(Object name, byte[] value) {
    int len = value.length;
    int bad = Octets.indexOfNonFieldValue(value, 0, len);
    if (bad >= 0) {
      return Octets.describe(value[bad] & 0xFF) + " at index " + bad
          + " may not stand in the value of " + name;
    }
    boolean blank = len > 0 && (Octets.isBlank(value[0]) || Octets.isBlank(value[len - 1]));
    return blank ? "the value of " + name + " begins or ends with white space" : null;
  }

  /** Whether the fault is that the name begins with a colon. */
  boolean isUnknownPseudo() {
    return UNKNOWN_PSEUDO.equals(fault);
  }

  int nameHash() {
    if (pseudo != null) {
      return pseudo.nameHash();
    }
    return name == null ? 0 : name.hashCode();
  }

  /** The size of a field with this one's name and a value of {@code valueLength} bytes. */
  int sizeWith(int valueLength) {
    return nameLength + valueLength + OVERHEAD;
  }

  /** The name, or null for a pseudo-header field. */
  public @Nullable HeaderName name() {
    return name;
  }

  /** Which pseudo-header field it is, or null for a field. */
  public @Nullable Pseudo pseudo() {
    return pseudo;
  }

  /**
   * The value's octets: they may all stand in a field value (RFC 9110 §5.5), and no white space is
   * at either end. The array is the field's own: do not change it.
   */
  public byte[] value() {
    return value;
  }

  @Override
  public int size() {
    return size;
  }

  /** Whether no intermediary may compress the value, RFC 7541 §6.2.3. */
  public boolean neverIndexed() {
    return neverIndexed;
  }

  /** Name and value for a message; a value that is never indexed is masked. */
  @Override
  public String toString() {
    Object shown = pseudo != null ? pseudo : name;
    return shown + ": " + (neverIndexed ? "***" : new String(value, StandardCharsets.ISO_8859_1));
  }
}
