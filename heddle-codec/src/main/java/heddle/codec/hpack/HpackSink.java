package heddle.codec.hpack;

import heddle.http.failure.MalformedMessageException.Kind;

/** Takes the fields of a header block, in order, from {@link HpackDecoder#decode}. */
public interface HpackSink {
  /** The next field: its name is a lower-case token and its value is one of RFC 9110 §5.5. */
  void field(HpackField field);

  /**
   * In place of a field that is not allowed in a message (RFC 9113 §8.2.1). Its block and the
   * connection go on: only the message is malformed, a stream error (RFC 9113 §8.1.1).
   *
   * @param kind whether a pseudo-header field is unknown, or any other field not valid
   * @param why what was seen and where, without the value
   */
  void malformed(Kind kind, String why);
}
