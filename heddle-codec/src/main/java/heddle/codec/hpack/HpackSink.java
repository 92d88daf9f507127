package heddle.codec.hpack;

/** Takes the fields of a header block, in order, from {@link HpackDecoder#decode}. */
public interface HpackSink {
  /** The next field: its name is a lower-case token and its value is one of RFC 9110 §5.5. */
  void field(HpackField field);

  /**
   * In place of a field that may not stand in a message (RFC 9113 §8.2.1). Its block goes on, and
   * the connection is sound: the message alone is malformed, a stream error (RFC 9113 §8.1.1).
   *
   * @param why what was seen where, without the value
   */
  void malformed(String why);
}
