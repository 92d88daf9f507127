package heddle.codec.http2.frame;

import heddle.http.failure.MalformedMessageException.Kind;

/**
 * The peer broke a rule of RFC 9113, or went over one of our limits. It is a connection error
 * (§5.4.1) or the error of one stream (§5.4.2), after which the connection and its other streams go
 * on.
 *
 * <p>It has no stack trace: the cause is in the peer's bytes, not in our code, and hostile peers
 * must not make it expensive.
 */
public final class Http2Exception extends Exception {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final int streamId;
  private final Kind kind;

  private Http2Exception(ErrorCode code, int streamId, Kind kind, String message) {
    super(message, null, false, false);
    this.code = code;
    this.kind = kind;
    this.streamId = streamId;
  }

  /**
   * The whole connection must end, with a GOAWAY of this code.
   *
   * @param message what was seen, what was expected, and the section that says so
   */
  public static Http2Exception connection(ErrorCode code, String message) {
    return new Http2Exception(code, 0, Kind.OTHER, message);
  }

  /**
   * One stream must end, with an RST_STREAM of this code.
   *
   * @param streamId at least 1
   * @param message what was seen, what was expected, and the section that says so
   */
  public static Http2Exception stream(int streamId, ErrorCode code, String message) {
    if (streamId < 1) {
      throw new IllegalArgumentException("stream " + streamId + " is none");
    }
    return new Http2Exception(code, streamId, Kind.OTHER, message);
  }

  /** The message on a stream is malformed: its stream must end (RFC 9113 §8.1.1). */
  public static Http2Exception malformed(int streamId, Kind kind, String message) {
    return new Http2Exception(ErrorCode.PROTOCOL_ERROR, streamId, kind, message);
  }

  /** The error of the stream, or of the connection if {@code streamId} is 0. */
  public static Http2Exception of(int streamId, ErrorCode code, String message) {
    return new Http2Exception(code, streamId, Kind.OTHER, message);
  }

  /** The code to send to the peer. */
  public ErrorCode code() {
    return code;
  }

  /** What is malformed. */
  public Kind kind() {
    return kind;
  }

  /** Whether the connection must end, rather than one stream. */
  public boolean connectionError() {
    return streamId == 0;
  }

  /** The stream that must end; 0 if it is the connection. */
  public int streamId() {
    return streamId;
  }
}
