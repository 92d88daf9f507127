package heddle.codec.hpack;

/**
 * Decodes the header blocks of one connection, in the order in which they arrive (RFC 7541 §3). Not
 * safe for use by several threads.
 */
public final class HpackDecoder {
  private final int maxTableBytes;
  private final int maxListBytes;
  private final int maxFields;

  /**
   * A decoder whose dynamic table is empty.
   *
   * @param maxTableBytes what we advertise as SETTINGS_HEADER_TABLE_SIZE, at least 0
   * @param maxListBytes how much all fields of a block may take, each as {@link HpackField#size}
   *     counts; what we advertise as SETTINGS_MAX_HEADER_LIST_SIZE
   * @param maxFields how many fields a block may have
   */
  public HpackDecoder(int maxTableBytes, int maxListBytes, int maxFields) {
    this.maxTableBytes = maxTableBytes;
    this.maxListBytes = maxListBytes;
    this.maxFields = maxFields;
  }

  /**
   * To be called when the peer has acknowledged the SETTINGS that advertise our table size: from
   * now on a larger table is refused. Until then the peer may hold the protocol's 4,096 bytes.
   */
  public void settingsAcknowledged() {}

  /** Changes whenever an entry is added to the dynamic table or leaves it. */
  public int generation() {
    return 0;
  }

  /**
   * Decodes one whole header block.
   *
   * @throws HpackException if the block is invalid, after which the decoder is of no further use,
   *     or, with reason {@link HpackException.Reason#LIST_TOO_LARGE}, if its fields take more than
   *     is accepted, after which the decoder goes on
   */
  public void decode(byte[] buf, int off, int len, HpackSink sink) throws HpackException {
    if (len > 0) {
      throw new UnsupportedOperationException(
          "table " + maxTableBytes + ", list " + maxListBytes + ", fields " + maxFields);
    }
  }
}
