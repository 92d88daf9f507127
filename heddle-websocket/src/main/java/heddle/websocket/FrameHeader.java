package heddle.websocket;

/**
 * The header of a frame (RFC 6455 section 5.2).
 *
 * @param last whether it ends its message
 * @param compressed whether RSV1 is set, with which a compressed message begins (RFC 7692)
 * @param length of the payload in bytes, not negative
 * @param key the masking key; 0, which changes nothing, if the payload is not masked
 */
record FrameHeader(boolean last, boolean compressed, Opcode opcode, long length, int key) {
  /** What a header takes at most: two octets, eight of a length, four of a key. */
  static final int MAX_BYTES = 14;

  /** A payload of a control frame is not longer. */
  static final int MAX_CONTROL_BYTES = 125;

  private static final int LAST = 0x80;
  private static final int COMPRESSED = 0x40;
  private static final int MASKED = 0x80;

  /**
   * Writes the header.
   *
   * @param masked whether to write the key
   * @return the position after it
   */
  int encode(byte[] target, boolean masked) {
    target[0] = (byte) ((last ? LAST : 0) | (compressed ? COMPRESSED : 0) | opcode.code());
    int mask = masked ? MASKED : 0;
    int at = 2;
    if (length <= 125) {
      target[1] = (byte) (mask | (int) length);
    } else {
      int octets = length <= 0xFFFF ? 2 : 8;
      target[1] = (byte) (mask | (octets == 2 ? 126 : 127));
      at = number(target, at, length, octets);
    }
    return masked ? number(target, at, key, 4) : at;
  }

  private static int number(byte[] target, int from, long number, int octets) {
    for (int i = 0; i < octets; i++) {
      target[from + i] = (byte) (number >>> 8 * (octets - 1 - i));
    }
    return from + octets;
  }

  /** How many bytes the whole header takes, as its first two say. */
  static int size(int second) {
    int length = second & 0x7F;
    return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + ((second & MASKED) == 0 ? 0 : 4);
  }

  /**
   * Reads a header of which all bytes have arrived.
   *
   * @param role of this side, which says whether the peer masks
   * @param compresses whether compression was agreed on
   * @throws WebSocketProtocolException if it breaks a rule
   */
  static FrameHeader decode(byte[] source, int from, Role role, boolean compresses)
      throws WebSocketProtocolException {
    int first = source[from] & 0xFF;
    int second = source[from + 1] & 0xFF;
    Opcode opcode = Opcode.of(first & 0x0F);
    boolean masked = (second & MASKED) != 0;
    int octets = size(second) - 2 - (masked ? 4 : 0);
    long length = octets == 0 ? second & 0x7F : number(source, from + 2, octets);
    if (opcode == null) {
      throw broken("a frame with the reserved opcode " + (first & 0x0F), "5.2");
    }
    boolean compressed = (first & COMPRESSED) != 0;
    boolean mayBeCompressed = compresses && (opcode == Opcode.TEXT || opcode == Opcode.BINARY);
    if ((first & 0x30) != 0 || (compressed && !mayBeCompressed)) {
      throw broken("a frame with a reserved bit that was not agreed on", "5.2");
    }
    if (masked == role.masks()) {
      throw broken(
          masked ? "a masked frame, as only clients do" : "a frame that is not masked", "5.1");
    }
    if (length < 0 || (octets == 2 && length <= 125) || (octets == 8 && length <= 0xFFFF)) {
      throw broken("a length of a frame that is negative or could be written shorter", "5.2");
    }
    boolean last = (first & LAST) != 0;
    if (opcode.isControl() && (!last || length > MAX_CONTROL_BYTES)) {
      throw broken("a control frame that is fragmented or longer than 125 bytes", "5.5");
    }
    int key = masked ? (int) number(source, from + 2 + octets, 4) : 0;
    return new FrameHeader(last, compressed, opcode, length, key);
  }

  private static long number(byte[] source, int from, int octets) {
    long number = 0;
    for (int i = 0; i < octets; i++) {
      number = number << 8 | (source[from + i] & 0xFF);
    }
    return number;
  }

  private static WebSocketProtocolException broken(String what, String section) {
    return new WebSocketProtocolException(
        CloseReason.PROTOCOL_ERROR, what + " (RFC 6455 section " + section + ")");
  }
}
