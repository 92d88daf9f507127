package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * SETTINGS, RFC 9113 §6.5: the sender's settings, or the acknowledgement of the receiver's. {@link
 * Settings#with} checks the values when it applies them.
 *
 * @param ack whether it acknowledges the receiver's SETTINGS; then there are no parameters
 * @param parameters in the order in which they are to be applied (§6.5.3), unknown ones too
 */
public record SettingsFrame(boolean ack, List<Parameter> parameters) implements Frame {
  public static final int TYPE = 0x4;
  public static final int ACK = 0x1;

  /** The acknowledgement. */
  public static final SettingsFrame ACKNOWLEDGEMENT = new SettingsFrame(true, List.of());

  /**
   * One setting.
   *
   * @param id 0 to 2^16-1
   * @param value 0 to 2^32-1
   */
  public record Parameter(int id, long value) {
    static final int BYTES = 6;
  }

  public SettingsFrame {
    parameters = List.copyOf(parameters);
  }

  /** SETTINGS always apply to the connection. */
  @Override
  public int streamId() {
    return 0;
  }

  static SettingsFrame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    FrameChecks.onConnection(header, "SETTINGS", "RFC 9113 §6.5");
    if (header.has(ACK)) {
      FrameChecks.length(header, 0, "an acknowledgement of SETTINGS", "RFC 9113 §6.5");
      return ACKNOWLEDGEMENT;
    }
    if (header.length() % Parameter.BYTES != 0) {
      throw Http2Exception.connection(
          ErrorCode.FRAME_SIZE_ERROR,
          "SETTINGS of " + header.length() + " bytes, must be a multiple of 6 (RFC 9113 §6.5)");
    }
    var parameters = new ArrayList<Parameter>(header.length() / Parameter.BYTES);
    while (payload.hasRemaining()) {
      int id = (payload.get() & 0xFF) << 8 | payload.get() & 0xFF;
      parameters.add(new Parameter(id, Integer.toUnsignedLong(FrameHeader.int32(payload))));
    }
    return new SettingsFrame(false, parameters);
  }

  /** The parameters as encoded in the frame and in the HTTP2-Settings field. */
  public byte[] payload() {
    HpackOutput out = new HpackOutput(64);
    encode(out);
    return Arrays.copyOfRange(out.array(), FrameHeader.BYTES, out.length());
  }

  @Override
  public void encode(HpackOutput out) {
    FrameHeader.encode(out, parameters.size() * Parameter.BYTES, TYPE, ack ? ACK : 0, 0);
    for (Parameter parameter : parameters) {
      out.putByte(parameter.id() >> 8);
      out.putByte(parameter.id());
      FrameHeader.appendInt(out, (int) parameter.value());
    }
  }
}
