package heddle.codec.hpack;

import heddle.http.HeaderName;
import heddle.http.Headers;

/**
 * Encodes the header blocks of one connection, in the order in which they are sent. Not safe for
 * use by several threads at once: a connection's ordering lock guards it.
 */
public final class HpackEncoder {
  private final int maxTableBytes;

  /**
   * An encoder whose dynamic table is empty.
   *
   * @param maxTableBytes how large the table may become whatever the peer allows, at least 0
   */
  public HpackEncoder(int maxTableBytes) {
    this.maxTableBytes = maxTableBytes;
  }

  /**
   * The peer's SETTINGS_HEADER_TABLE_SIZE: the table's bound is this or our own, whichever is less.
   * The next block begins with the size update that RFC 7541 §4.2 asks for.
   */
  public void setMaxTableBytes(int bytes) {}

  /**
   * Changes with each insertion and eviction and with each change of the table's bound. A block
   * whose encoding began and ended at the same generation may be sent again, byte for byte, for the
   * same fields as long as the generation is still that.
   */
  public int generation() {
    return 0;
  }

  /** Begins a block: the fields that follow are added to {@code out}. */
  public void begin(HpackOutput out) {
    if (maxTableBytes >= 0) {
      throw new UnsupportedOperationException("table " + maxTableBytes);
    }
  }

  /** Adds a pseudo-header field whose value is given as octets. */
  public void field(Pseudo pseudo, byte[] value) {}

  /** Adds a pseudo-header field; each char is one octet. */
  public void field(Pseudo pseudo, String value) {}

  /** Adds the field at {@code index} of {@code headers}, whose name is {@code name}. */
  public void field(HeaderName name, Headers headers, int index) {}

  /** Adds a field; each char is one octet. */
  public void field(HeaderName name, String value) {}

  /** Adds a field that no intermediary may compress (RFC 7541 §6.2.3), for a secret. */
  public void secret(HeaderName name, Headers headers, int index) {}
}
