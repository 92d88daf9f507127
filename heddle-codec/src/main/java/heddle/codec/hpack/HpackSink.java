package heddle.codec.hpack;

/** Takes the fields of a header block, in order, from {@link HpackDecoder#decode}. */
public interface HpackSink {
  /** The next field: its name is a lower-case token and its value is one of RFC 9110 §5.5. */
  void field(HpackField field);

  /**
   * In place of a field that is not allowed in a message (RFC 9113 §8.2.1), with what was seen and
   * where, without the value. Its block and the connection go on: only the message is malformed, a
   * stream error (RFC 9113 §8.1.1).
   */
  void malformed(String why);
}
