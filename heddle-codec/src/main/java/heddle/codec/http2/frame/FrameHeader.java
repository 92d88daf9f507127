package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * The nine bytes before each frame's payload, RFC 9113 §4.1.
 *
 * @param length bytes of payload, 0 to 2^24-1
 * @param type 0 to 255
 * @param flags 0 to 255; what they mean depends on the type
 * @param streamId 0 to 2^31-1; the reserved bit is ignored
 */
public record FrameHeader(int length, int type, int flags, int streamId) {
  /** Bytes of a header. */
  public static final int BYTES = 9;

  /** In the order of their types; RFC 9113 §6 has a section for each. */
  private static final String[] NAMES = {
    "DATA", "HEADERS", "PRIORITY", "RST_STREAM", "SETTINGS",
    "PUSH_PROMISE", "PING", "GOAWAY", "WINDOW_UPDATE", "CONTINUATION"
  };

  /** Whether one of these flags is set. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Takes nine bytes out of {@code in}, which must be there. */
  static FrameHeader decode(ByteBuffer in) {
    int length = (in.get() & 0xFF) << 16 | (in.get() & 0xFF) << 8 | in.get() & 0xFF;
    int type = in.get() & 0xFF;
    int flags = in.get() & 0xFF;
    return new FrameHeader(length, type, flags, int31(in));
  }

  /** Takes four bytes, without the reserved bit. */
  static int int31(ByteBuffer in) {
    return int32(in) & Integer.MAX_VALUE;
  }

  /** Takes four bytes, whatever the order of the buffer: the network's is always the same. */
  static int int32(ByteBuffer in) {
    return in.get() << 24 | (in.get() & 0xFF) << 16 | (in.get() & 0xFF) << 8 | in.get() & 0xFF;
  }

  /** Appends a header whose payload is about to be appended by the caller. */
  public static void encode(HpackOutput out, int length, int type, int flags, int streamId) {
    int at = reserve(out);
    write(out.array(), at, length, type, flags, streamId);
  }

  /** Leaves room for a header that {@link #patch} fills in; returns where it begins. */
  public static int reserve(HpackOutput out) {
    return grow(out, BYTES);
  }

  /**
   * Fills in the header reserved at {@code at}; all that was appended behind it is its payload.
   *
   * @throws IllegalStateException when that is more than 2^24-1 bytes
   */
  public static void patch(HpackOutput out, int at, int type, int flags, int streamId) {
    int length = out.length() - at - BYTES;
    if (length < 0 || length > 0xFFFFFF) {
      throw new IllegalStateException("a frame cannot have a payload of " + length + " bytes");
    }
    write(out.array(), at, length, type, flags, streamId);
  }

  static void write(byte[] to, int at, int length, int type, int flags, int streamId) {
    to[at] = (byte) (length >> 16);
    to[at + 1] = (byte) (length >> 8);
    to[at + 2] = (byte) length;
    to[at + 3] = (byte) type;
    to[at + 4] = (byte) flags;
    putInt(to, at + 5, streamId);
  }

  static void putInt(byte[] to, int at, int value) {
    to[at] = (byte) (value >> 24);
    to[at + 1] = (byte) (value >> 16);
    to[at + 2] = (byte) (value >> 8);
    to[at + 3] = (byte) value;
  }

  /** Appends four bytes. */
  static void appendInt(HpackOutput out, int value) {
    int at = grow(out, 4);
    putInt(out.array(), at, value);
  }

  /** Appends what remains of {@code bytes}, whose position stays. */
  public static void append(HpackOutput out, ByteBuffer bytes) {
    int count = bytes.remaining();
    int at = grow(out, count);
    bytes.get(bytes.position(), out.array(), at, count);
  }

  /** Appends {@code count} bytes, to be written by the caller; returns where they begin. */
  static int grow(HpackOutput out, int count) {
    int at = out.length();
    out.ensure(count);
    out.setLength(at + count);
    return at;
  }

  // ---- checks that several types of frame share; what they find is a connection error

  /** The frame belongs to a stream. */
  void checkOnStream() throws Http2Exception {
    if (streamId == 0) {
      throw refused(ErrorCode.PROTOCOL_ERROR, " on stream 0, must be on a stream");
    }
  }

  /** The frame belongs to the connection. */
  void checkOnConnection() throws Http2Exception {
    if (streamId != 0) {
      throw refused(ErrorCode.PROTOCOL_ERROR, " on stream " + streamId + ", must be on stream 0");
    }
  }

  /** The payload has exactly this length. */
  void checkLength(int needed) throws Http2Exception {
    if (length != needed) {
      throw refused(ErrorCode.FRAME_SIZE_ERROR, " of " + length + " bytes, must be " + needed);
    }
  }

  /** The payload is long enough for its fixed part. */
  void checkAtLeast(int needed) throws Http2Exception {
    if (length < needed) {
      throw refused(
          ErrorCode.FRAME_SIZE_ERROR, " of " + length + " bytes, must be at least " + needed);
    }
  }

  /**
   * Takes the Pad Length byte and cuts the padding off the end of {@code payload}. The padding's
   * content is not checked: RFC 9113 §6.1 leaves that to the receiver.
   *
   * @param fixed bytes that must be left in front of the padding
   */
  void unpad(ByteBuffer payload, int fixed) throws Http2Exception {
    int padding = payload.get() & 0xFF;
    if (padding > payload.remaining() - fixed) {
      throw tooMuchPadding(padding);
    }
    payload.limit(payload.limit() - padding);
  }

  Http2Exception tooMuchPadding(int padding) {
    return refused(
        ErrorCode.PROTOCOL_ERROR,
        " of " + length + " bytes with " + padding + " bytes of padding, which do not fit");
  }

  private Http2Exception refused(ErrorCode code, String why) {
    String name = type < NAMES.length ? NAMES[type] : "PRIORITY_UPDATE";
    String section = type < NAMES.length ? "RFC 9113 §6." + (type + 1) : "RFC 9218 §7.1";
    boolean acknowledges = type == Frame.Settings.TYPE && has(Frame.ACK);
    return Http2Exception.connection(
        code, (acknowledges ? "an acknowledgement of " : "") + name + why + " (" + section + ")");
  }
}
