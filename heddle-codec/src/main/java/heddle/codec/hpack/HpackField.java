package heddle.codec.hpack;

import heddle.http.HeaderName;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A field line that was decoded: the name of a field or of a pseudo-header field, and its value.
 * Never altered, so safe to share.
 *
 * <p>Each entry of the static table and of a decoder's dynamic table is one instance, given to the
 * sink whenever the peer refers to it. A receiver that sees the same instances again knows, without
 * a look at their bytes, that the peer has sent the same fields again.
 */
public final class HpackField {
  /** What an entry costs beyond its octets, RFC 7541 §4.1. */
  static final int OVERHEAD = 32;

  private final @Nullable HeaderName name;
  private final @Nullable Pseudo pseudo;
  private final byte[] value;
  private final int size;
  private final boolean neverIndexed;

  /** Why the field is malformed (RFC 9113 §8.2.1), or null. */
  private final @Nullable String fault;

  private HpackField(
      @Nullable HeaderName name,
      @Nullable Pseudo pseudo,
      byte[] value,
      int size,
      boolean neverIndexed,
      @Nullable String fault) {
    this.name = name;
    this.pseudo = pseudo;
    this.value = value;
    this.size = size;
    this.neverIndexed = neverIndexed;
    this.fault = fault;
  }

  static HpackField of(HeaderName name, byte[] value, boolean neverIndexed) {
    int size = name.length() + value.length + OVERHEAD;
    return new HpackField(name, null, value, size, neverIndexed, null);
  }

  static HpackField of(Pseudo pseudo, byte[] value, boolean neverIndexed) {
    int size = pseudo.length() + value.length + OVERHEAD;
    return new HpackField(null, pseudo, value, size, neverIndexed, null);
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
   * The value's octets, none of which may stand in no field value and with no white space at
   * either end. The array is the field's own: do not change it.
   */
  public byte[] value() {
    return value;
  }

  /** Octets of name and value and 32 more, as RFC 7541 §4.1 counts. */
  public int size() {
    return size;
  }

  /**
   * Whether the peer asked that no intermediary compress the value (RFC 7541 §6.2.3): it must be
   * sent on in the same way.
   */
  public boolean neverIndexed() {
    return neverIndexed;
  }

  @Nullable
  String fault() {
    return fault;
  }

  /** Name and value for a test's message; a value that is never indexed is masked. */
  @Override
  public String toString() {
    Object shown = pseudo != null ? pseudo : name;
    return shown + ": " + (neverIndexed ? "***" : new String(value, StandardCharsets.ISO_8859_1));
  }
}
