package heddle.codec.http2.frame;

/** Why a stream or a connection was ended: the error codes of RFC 9113 §7. */
public enum ErrorCode {
  /** Not an error: a graceful shutdown, or a request that need not be sent to its end. */
  NO_ERROR(0x0),
  /** A rule of the protocol was broken that has no more specific code. */
  PROTOCOL_ERROR(0x1),
  /** Something failed on the side that sends this. */
  INTERNAL_ERROR(0x2),
  /** More was sent than flow control allows, or a window passed 2^31-1. */
  FLOW_CONTROL_ERROR(0x3),
  /** SETTINGS were not acknowledged in time. */
  SETTINGS_TIMEOUT(0x4),
  /** A frame came for a stream that was already half-closed. */
  STREAM_CLOSED(0x5),
  /** A frame of a size that it cannot have. */
  FRAME_SIZE_ERROR(0x6),
  /** The stream was refused before anything was done for it: the request may be sent again. */
  REFUSED_STREAM(0x7),
  /** The stream is no longer needed. */
  CANCEL(0x8),
  /** The field section compression state cannot be kept up. */
  COMPRESSION_ERROR(0x9),
  /** The connection of a CONNECT request was reset or closed abnormally. */
  CONNECT_ERROR(0xa),
  /** The peer does something that might generate excessive load. */
  ENHANCE_YOUR_CALM(0xb),
  /** The transport's properties do not meet what is asked, RFC 9113 §9.2. */
  INADEQUATE_SECURITY(0xc),
  /** HTTP/1.1 is to be used instead. */
  HTTP_1_1_REQUIRED(0xd);

  // In the order of their codes, which are assigned without a gap.
  private static final ErrorCode[] BY_CODE = values();

  private final int code;

  ErrorCode(int code) {
    this.code = code;
  }

  /** The number on the wire. */
  public int code() {
    return code;
  }

  /**
   * The error of this number. One that is not registered is treated as {@link #INTERNAL_ERROR}, as
   * RFC 9113 §7 allows; {@link #describe} keeps its number.
   *
   * @param code 32 bits, unsigned
   */
  public static ErrorCode of(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : INTERNAL_ERROR;
  }

  /** The name of this number for a message, or the number itself if it has no name. */
  public static String describe(int code) {
    ErrorCode known = of(code);
    return known.code == code ? known.name() : "unknown error 0x" + Integer.toHexString(code);
  }
}
