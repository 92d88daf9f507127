package heddle.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Why a socket was closed (RFC 6455 section 7.4). Immutable.
 *
 * @param code 1000 to 4999; {@link #NO_CODE} if the peer sent none
 * @param reason at most 123 bytes of UTF-8; empty for none
 */
public record CloseReason(int code, String reason) {
  /** The purpose of the connection is fulfilled. */
  public static final int NORMAL = 1000;

  /** A server goes down, or a client leaves. */
  public static final int GOING_AWAY = 1001;

  /** The peer broke the protocol. */
  public static final int PROTOCOL_ERROR = 1002;

  /** The peer sent data of a type that is not accepted. */
  public static final int UNSUPPORTED_DATA = 1003;

  /** For a Close frame without a code; never sent. */
  public static final int NO_CODE = 1005;

  /** A message does not have the content of its type, such as text that is not UTF-8. */
  public static final int INVALID_DATA = 1007;

  /** A message breaks a rule of the application. */
  public static final int POLICY_VIOLATION = 1008;

  /** A message is too large. */
  public static final int TOO_LARGE = 1009;

  /** The server failed. */
  public static final int INTERNAL_ERROR = 1011;

  /** The server has too much to do, such as no memory for a message; the client may come again. */
  public static final int TRY_AGAIN_LATER = 1013;

  /** A control frame has at most 125 bytes; the code takes two of them. */
  private static final int MAX_REASON_BYTES = 123;

  /**
   * Whether a peer may send the code: the others are reserved, or mean that there was none (RFC
   * 6455 section 7.4, and the registry of IANA).
   */
  static boolean isSendable(int code) {
    return (code >= 1000 && code <= 1014 && code != 1004 && code != 1005 && code != 1006)
        || (code >= 3000 && code <= 4999);
  }

  /**
   * Checks a reason that is to be sent.
   *
   * @throws IllegalArgumentException if the code may not be sent or the reason is too long
   */
  CloseReason requireSendable() {
    if (!isSendable(code)) {
      throw new IllegalArgumentException("code must be one that may be sent (1000 to 1003, 1007 to"
          + " 1014, 3000 to 4999), but was " + code);
    }
    int size = reason.getBytes(UTF_8).length;
    if (size > MAX_REASON_BYTES) {
      throw new IllegalArgumentException(
          "reason must have at most 123 bytes of UTF-8, but has " + size);
    }
    return this;
  }

  /** The payload of a Close frame. */
  byte[] payload() {
    byte[] text = reason.getBytes(UTF_8);
    byte[] payload = new byte[2 + text.length];
    payload[0] = (byte) (code >> 8);
    payload[1] = (byte) code;
    System.arraycopy(text, 0, payload, 2, text.length);
    return payload;
  }

  /**
   * Reads the payload of a Close frame.
   *
   * @throws WebSocketProtocolException if it has half a code, one that may not be sent, or a reason
   *     that is not UTF-8
   */
  static CloseReason of(byte[] payload) throws WebSocketProtocolException {
    if (payload.length == 0) {
      return new CloseReason(NO_CODE, "");
    }
    int code = payload.length < 2 ? 0 : (payload[0] & 0xFF) << 8 | (payload[1] & 0xFF);
    if (!isSendable(code)) {
      throw new WebSocketProtocolException(
          PROTOCOL_ERROR,
          payload.length < 2
              ? "a Close frame of one byte, which is half a code (RFC 6455 section 5.5.1)"
              : "a Close frame with the code " + code + ", which may not be sent (RFC 6455 section"
                  + " 7.4)");
    }
    return new CloseReason(code, Utf8.decode(payload, 2, payload.length - 2));
  }

  @Override
  public String toString() {
    String shown = code == NO_CODE ? "no code" : Integer.toString(code);
    return reason.isEmpty() ? shown : shown + " (" + reason + ")";
  }
}
