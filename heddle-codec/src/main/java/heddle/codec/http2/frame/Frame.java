package heddle.codec.http2.frame;

import heddle.codec.hpack.HpackOutput;
import java.nio.ByteBuffer;

/**
 * One frame of HTTP/2, RFC 9113 §6. Byte buffers in a frame that was read are views of the input:
 * see {@link FrameReader#next}.
 *
 * <p>Each type defines its flags; the same bit has different meanings in different types.
 */
public sealed interface Frame
    permits DataFrame,
        HeadersFrame,
        PriorityFrame,
        RstStreamFrame,
        SettingsFrame,
        PushPromiseFrame,
        PingFrame,
        GoAwayFrame,
        WindowUpdateFrame,
        ContinuationFrame,
        PriorityUpdateFrame,
        UnknownFrame {

  /** The stream that it belongs to, 0 if it belongs to the connection. */
  int streamId();

  /** Appends the frame with its header. */
  void encode(HpackOutput out);

  /**
   * Reads a frame that is there as a whole.
   *
   * @param payload as many bytes as the header says; the frame may keep a view of it
   * @throws Http2Exception if the frame is malformed, whatever came before it
   */
  static Frame decode(FrameHeader header, ByteBuffer payload) throws Http2Exception {
    return switch (header.type()) {
      case DataFrame.TYPE -> DataFrame.decode(header, payload);
      case HeadersFrame.TYPE -> HeadersFrame.decode(header, payload);
      case PriorityFrame.TYPE -> PriorityFrame.decode(header, payload);
      case RstStreamFrame.TYPE -> RstStreamFrame.decode(header, payload);
      case SettingsFrame.TYPE -> SettingsFrame.decode(header, payload);
      case PushPromiseFrame.TYPE -> PushPromiseFrame.decode(header, payload);
      case PingFrame.TYPE -> PingFrame.decode(header, payload);
      case GoAwayFrame.TYPE -> GoAwayFrame.decode(header, payload);
      case WindowUpdateFrame.TYPE -> WindowUpdateFrame.decode(header, payload);
      case ContinuationFrame.TYPE -> ContinuationFrame.decode(header, payload);
      case PriorityUpdateFrame.TYPE -> PriorityUpdateFrame.decode(header, payload);
      default -> UnknownFrame.decode(header, payload);
    };
  }
}
